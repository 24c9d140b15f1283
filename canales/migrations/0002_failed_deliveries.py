"""An index for sends that failed: mail asks for them at every sweep."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('canales', '0001_start'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'failed')), fields=['finished_at'], name='delivery_failed'),
        ),
    ]
