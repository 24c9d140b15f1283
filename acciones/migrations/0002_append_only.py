"""Proposals, consents, decisions, evidence and versions can't be changed once written.

What a person was shown and what was decided must stay what it was, whatever code or
console touches the table; deletion stays possible for retention.
"""

from django.db import migrations

TABLES = {
    "acciones_proposal": "",
    "acciones_consent": "",
    "acciones_evidence": "",
    "acciones_actionversion": "published_by_id",
    "acciones_decision": "member_id",
}

FUNCTION = """
CREATE FUNCTION acciones_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A reference may be emptied when the member or user it names is deleted
    IF TG_ARGV[0] <> '' AND to_jsonb(NEW) - TG_ARGV[0] = to_jsonb(OLD) - TG_ARGV[0] THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '23514';
END $$
"""


def _trigger(table: str, emptied: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"CREATE TRIGGER append_only BEFORE UPDATE ON {table} FOR EACH ROW "
        f"EXECUTE FUNCTION acciones_append_only('{emptied}')",
        f"DROP TRIGGER append_only ON {table}",
    )


class Migration(migrations.Migration):
    """Guard the tables with one trigger function."""

    dependencies = [("acciones", "0001_start")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION acciones_append_only()"),
        *[_trigger(table, emptied) for table, emptied in TABLES.items()],
    ]
