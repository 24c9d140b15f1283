"""The audit: a table that only grows."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

# Retention may delete old entries, in a transaction that says so by
# SET LOCAL maya.retention = 'on'; nothing ever changes one.
GUARD = """
CREATE FUNCTION acciones_audit_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('maya.retention', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '23514';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON acciones_auditentry
FOR EACH ROW EXECUTE FUNCTION acciones_audit_kept();
"""
UNGUARD = """
DROP TRIGGER append_only ON acciones_auditentry;
DROP FUNCTION acciones_audit_kept();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('acciones', '0003_notices'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='cuándo')),
                ('site_name', models.CharField(blank=True, max_length=64, verbose_name='sitio entonces')),
                ('who', models.CharField(max_length=200, verbose_name='quién')),
                ('surface', models.CharField(max_length=32, verbose_name='dónde')),
                ('address', models.CharField(blank=True, max_length=64, verbose_name='dirección')),
                ('kind', models.CharField(choices=[('decision', 'decisión'), ('setting', 'ajuste'), ('secret', 'secreto'), ('view', 'datos personales vistos'), ('access', 'acceso')], max_length=16, verbose_name='clase')),
                ('verb', models.CharField(max_length=64, verbose_name='qué')),
                ('subject', models.CharField(blank=True, max_length=48, verbose_name='sobre')),
                ('subject_id', models.CharField(blank=True, max_length=64, verbose_name='sobre cuál')),
                ('before', models.JSONField(null=True, verbose_name='antes')),
                ('after', models.JSONField(null=True, verbose_name='después')),
                ('note', models.CharField(blank=True, max_length=300, verbose_name='nota')),
                ('site', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='acciones.site', verbose_name='sitio')),
                ('user', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='cuenta')),
            ],
            options={
                'verbose_name': 'registro de auditoría',
                'verbose_name_plural': 'auditoría',
                'indexes': [models.Index(fields=['site', '-id'], name='audit_of_site'), models.Index(fields=['subject', 'subject_id'], name='audit_of_subject')],
            },
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
