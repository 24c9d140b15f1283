from django.contrib.postgres.operations import UnaccentExtension
from django.db import migrations

# Spanish stems without accents: "devolución" finds "devoluciones" and "devolucion".
# OR REPLACE does not exist for configurations; a restored database may have it already.
CREATE = """
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_ts_config WHERE cfgname = 'es_unaccent') THEN
        CREATE TEXT SEARCH CONFIGURATION es_unaccent (COPY = pg_catalog.spanish);
        ALTER TEXT SEARCH CONFIGURATION es_unaccent
            ALTER MAPPING FOR hword, hword_part, word WITH unaccent, spanish_stem;
    END IF;
END $$
"""
DROP = "DROP TEXT SEARCH CONFIGURATION IF EXISTS es_unaccent"


class Migration(migrations.Migration):
    dependencies = []

    operations = [UnaccentExtension(), migrations.RunSQL(CREATE, DROP)]
