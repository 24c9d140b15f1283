"""The bot, invitations, links, alerts and the outbox."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('acciones', '0004_audit'),
    ]

    operations = [
        migrations.CreateModel(
            name='TelegramBot',
            fields=[
                ('id', models.BigIntegerField(primary_key=True, serialize=False)),
                ('username', models.CharField(blank=True, max_length=64)),
                ('token_hash', models.CharField(max_length=64)),
                ('offset', models.BigIntegerField(default=0)),
                ('disabled_at', models.DateTimeField(null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'verbose_name': 'bot de Telegram',
                'verbose_name_plural': 'bots de Telegram',
            },
        ),
        migrations.CreateModel(
            name='Alert',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('approval', 'aprobación'), ('uncertain', 'fallo sin certeza'), ('outage', 'conexión desactivada'), ('welcome', 'bienvenida')], max_length=16)),
                ('number', models.PositiveSmallIntegerField(default=0)),
                ('digest', models.CharField(blank=True, max_length=64)),
                ('approve_key', models.CharField(max_length=32, null=True, unique=True)),
                ('reject_key', models.CharField(max_length=32, null=True, unique=True)),
                ('message_id', models.BigIntegerField(null=True)),
                ('seq', models.IntegerField(default=0)),
                ('shown', models.CharField(blank=True, max_length=64)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('closed_at', models.DateTimeField(null=True)),
                ('member', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to='acciones.member')),
                ('run', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='alerts', to='acciones.run')),
            ],
            options={
                'verbose_name': 'alerta',
                'verbose_name_plural': 'alertas',
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lane', models.CharField(max_length=48)),
                ('purpose', models.CharField(choices=[('send', 'enviar'), ('edit', 'actualizar')], max_length=8)),
                ('state', models.CharField(choices=[('waiting', 'en espera'), ('sending', 'enviando'), ('sent', 'enviado'), ('unknown', 'resultado desconocido'), ('failed', 'fallido'), ('dropped', 'ya no hacía falta')], default='waiting', max_length=8)),
                ('due_at', models.DateTimeField()),
                ('lease_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('finished_at', models.DateTimeField(null=True)),
                ('alert', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='canales.alert')),
            ],
            options={
                'verbose_name': 'entrega',
                'verbose_name_plural': 'entregas',
            },
        ),
        migrations.CreateModel(
            name='DeliveryTry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('started', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('finished', models.DateTimeField(null=True)),
                ('verdict', models.CharField(blank=True, max_length=16)),
                ('detail', models.CharField(blank=True, max_length=300)),
                ('delivery', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tries', to='canales.delivery')),
            ],
            options={
                'verbose_name': 'intento de entrega',
                'verbose_name_plural': 'intentos de entrega',
            },
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ended_at', models.DateTimeField(null=True)),
                ('connection', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to='acciones.connection')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='acciones.site')),
            ],
            options={
                'verbose_name': 'corte',
                'verbose_name_plural': 'cortes',
            },
        ),
        migrations.AddField(
            model_name='alert',
            name='outage',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to='canales.outage'),
        ),
        migrations.CreateModel(
            name='TelegramInvite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('code_hash', models.CharField(max_length=64, unique=True)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('expires_at', models.DateTimeField()),
                ('claimed_at', models.DateTimeField(null=True)),
                ('user_id', models.BigIntegerField(null=True)),
                ('chat_id', models.BigIntegerField(null=True)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('username', models.CharField(blank=True, max_length=64)),
                ('language', models.CharField(blank=True, max_length=8)),
                ('answered_at', models.DateTimeField(null=True)),
                ('accepted', models.BooleanField(null=True)),
                ('member', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='acciones.member')),
            ],
            options={
                'verbose_name': 'invitación de Telegram',
                'verbose_name_plural': 'invitaciones de Telegram',
            },
        ),
        migrations.CreateModel(
            name='TelegramLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user_id', models.BigIntegerField(verbose_name='id de Telegram')),
                ('chat_id', models.BigIntegerField()),
                ('name', models.CharField(blank=True, max_length=200, verbose_name='nombre en Telegram')),
                ('username', models.CharField(blank=True, max_length=64, verbose_name='usuario en Telegram')),
                ('language', models.CharField(default='es', max_length=8)),
                ('quiet_from', models.TimeField(blank=True, null=True, verbose_name='silencio desde')),
                ('quiet_until', models.TimeField(blank=True, null=True, verbose_name='silencio hasta')),
                ('time_zone', models.CharField(max_length=64, verbose_name='zona horaria')),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), verbose_name='vinculado')),
                ('ended_at', models.DateTimeField(null=True, verbose_name='terminado')),
                ('ended_why', models.CharField(blank=True, choices=[('unlinked', 'desvinculado'), ('replaced', 'sustituido por otro chat'), ('blocked', 'el chat bloqueó al bot'), ('removed', 'ya no es miembro')], max_length=16)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='canales.telegrambot')),
                ('member', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to='acciones.member')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='acciones.site', verbose_name='sitio')),
            ],
            options={
                'verbose_name': 'Telegram',
                'verbose_name_plural': 'Telegram',
            },
        ),
        migrations.AddField(
            model_name='alert',
            name='link',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='alerts', to='canales.telegramlink'),
        ),
        migrations.CreateModel(
            name='TelegramUpdate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('update_id', models.BigIntegerField()),
                ('from_id', models.BigIntegerField(null=True)),
                ('verdict', models.CharField(blank=True, max_length=32)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('received', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('claimed_until', models.DateTimeField(null=True)),
                ('handled_at', models.DateTimeField(null=True)),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='canales.telegrambot')),
            ],
            options={
                'verbose_name': 'actualización de Telegram',
                'verbose_name_plural': 'actualizaciones de Telegram',
            },
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at', 'lane'], name='delivery_due'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'sending')), fields=['lease_until'], name='delivery_lease'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'sending')), fields=('lane',), name='delivery_one_in_a_lane'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(condition=models.Q(('purpose', 'send')), fields=('alert',), name='delivery_sends_once'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(condition=models.Q(('purpose', 'edit'), ('state', 'waiting')), fields=('alert',), name='delivery_one_edit_waits'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'sending')), models.Q(models.Q(('state', 'sending'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='delivery_sending_has_lease'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', True), ('state__in', ['waiting', 'sending'])), models.Q(models.Q(('state__in', ['waiting', 'sending']), _negated=True), ('finished_at__isnull', False)), _connector='OR'), name='delivery_final_has_end'),
        ),
        migrations.AddConstraint(
            model_name='deliverytry',
            constraint=models.UniqueConstraint(fields=('delivery', 'number'), name='delivery_try_once'),
        ),
        migrations.AddConstraint(
            model_name='outage',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('site', 'connection'), name='outage_one_open', nulls_distinct=False),
        ),
        migrations.AddConstraint(
            model_name='telegraminvite',
            constraint=models.CheckConstraint(condition=models.Q(('claimed_at__isnull', True), models.Q(('chat_id__isnull', False), ('user_id__isnull', False)), _connector='OR'), name='telegram_claim_says_who'),
        ),
        migrations.AddConstraint(
            model_name='telegraminvite',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accepted__isnull', True), ('answered_at__isnull', True)), models.Q(('accepted__isnull', False), ('answered_at__isnull', False)), _connector='OR'), name='telegram_answer_has_time'),
        ),
        migrations.AddConstraint(
            model_name='telegramlink',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('member',), name='telegram_one_chat_a_member'),
        ),
        migrations.AddConstraint(
            model_name='telegramlink',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('site', 'user_id'), name='telegram_one_member_a_person'),
        ),
        migrations.AddConstraint(
            model_name='telegramlink',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('quiet_from__isnull', True), ('quiet_until__isnull', True)), models.Q(('quiet_from__isnull', False), ('quiet_until__isnull', False)), _connector='OR'), name='telegram_quiet_hours_whole'),
        ),
        migrations.AddIndex(
            model_name='alert',
            index=models.Index(condition=models.Q(('closed_at__isnull', True)), fields=['link', 'kind'], name='alert_open'),
        ),
        migrations.AddIndex(
            model_name='alert',
            index=models.Index(condition=models.Q(('link__isnull', True)), fields=['member', '-created'], name='alert_mailed'),
        ),
        migrations.AddConstraint(
            model_name='alert',
            constraint=models.UniqueConstraint(condition=models.Q(('run__isnull', False)), fields=('link', 'run', 'kind', 'number'), name='alert_once'),
        ),
        migrations.AddConstraint(
            model_name='alert',
            constraint=models.UniqueConstraint(condition=models.Q(('outage__isnull', False)), fields=('member', 'outage'), name='alert_outage_once'),
        ),
        migrations.AddIndex(
            model_name='telegramupdate',
            index=models.Index(fields=['received'], name='telegram_update_age'),
        ),
        migrations.AddIndex(
            model_name='telegramupdate',
            index=models.Index(fields=['from_id', 'verdict'], name='telegram_update_from'),
        ),
        migrations.AddConstraint(
            model_name='telegramupdate',
            constraint=models.UniqueConstraint(fields=('bot', 'update_id'), name='telegram_update_once'),
        ),
    ]
