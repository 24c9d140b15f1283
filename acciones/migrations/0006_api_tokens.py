"""Tokens of the owner API."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('acciones', '0005_owners_lists'),
    ]

    operations = [
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, verbose_name='nombre')),
                ('token_hash', models.CharField(editable=False, max_length=64, unique=True)),
                ('hint', models.CharField(editable=False, max_length=16, verbose_name='empieza por')),
                ('scopes', models.JSONField(verbose_name='permisos')),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False, verbose_name='creada')),
                ('expires_at', models.DateTimeField(null=True, verbose_name='caduca')),
                ('last_used', models.DateTimeField(editable=False, null=True, verbose_name='último uso')),
                ('revoked_at', models.DateTimeField(editable=False, null=True, verbose_name='revocada')),
                ('member', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='acciones.member', verbose_name='miembro')),
            ],
            options={
                'verbose_name': 'llave de la API',
                'verbose_name_plural': 'llaves de la API',
                'constraints': [models.CheckConstraint(condition=models.Q(('scopes', []), _negated=True), name='api_token_has_scopes')],
            },
        ),
    ]
