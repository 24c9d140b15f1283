from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import migrations, models


def weighed(config):
    return SearchVector("title", "heading", weight="A", config=config) + SearchVector(
        "text", weight="B", config=config
    )


class Migration(migrations.Migration):
    dependencies = [("agente", "0003_suggestions")]

    # The expression of a generated column can't be altered, only made anew
    operations = [
        migrations.RemoveIndex("passage", "passage_search"),
        migrations.RemoveField("passage", "vector"),
        migrations.AddField(
            "passage",
            "vector",
            models.GeneratedField(
                expression=models.Case(
                    models.When(language="en", then=weighed("english")),
                    default=weighed("es_unaccent"),
                ),
                output_field=SearchVectorField(),
                db_persist=True,
            ),
        ),
        migrations.AddIndex(
            "passage", GinIndex(fields=["vector"], name="passage_search")
        ),
    ]
