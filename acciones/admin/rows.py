"""A JSON list edited as rows of a table: a few blank ones are always there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

BLANK_ROWS = 3
MOST_ROWS = 60


@dataclass(frozen=True)
class Column:
    """One column: its key in the JSON, its heading, and how it is typed in."""

    key: str
    label: Any
    kind: str = "text"
    choices: Sequence[tuple[str, Any]] = ()
    default: Any = ""

    def read(self, text: str | None) -> Any:
        """Turn what was typed into what is stored."""
        if self.kind == "flag":
            return text is not None
        text = (text or "").strip()
        if self.kind == "number" and text.isascii() and text.isdigit():
            return int(text)
        return text


class RowsWidget(forms.Widget):
    """Draws the rows; reads them back by name, row and column."""

    template_name = "admin/rows.html"

    def __init__(self, columns: Sequence[Column]) -> None:
        super().__init__()
        self.columns = columns

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        """Give the template each cell with its name and its present value."""
        context = super().get_context(name, value, attrs)
        rows = [row for row in value or [] if isinstance(row, dict)]
        blank = {column.key: column.default for column in self.columns}
        context["columns"] = self.columns
        context["name"] = name
        context["rows"] = [
            [
                {
                    "column": column,
                    "name": f"{name}-{number}-{column.key}",
                    "value": row.get(column.key, column.default),
                }
                for column in self.columns
            ]
            for number, row in enumerate([*rows, *[blank] * BLANK_ROWS])
        ]
        return context

    def _render(
        self, template_name: str, context: dict[str, Any], renderer: Any = None
    ) -> SafeString:
        # Django's form renderer looks inside installed apps only
        return render_to_string(template_name, context)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return the rows that were typed; a row without its first cell is blank."""
        found = []
        for number in range(MOST_ROWS):
            row = {
                column.key: column.read(data.get(f"{name}-{number}-{column.key}"))
                for column in self.columns
            }
            if any(value for key, value in row.items() if self._is_typed(key)):
                found.append(row)
        return found

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        """Say whether the form came without this table."""
        return not any(key.startswith(f"{name}-0-") for key in data)

    def _is_typed(self, key: str) -> bool:
        column = next(column for column in self.columns if column.key == key)
        return column.kind == "text"


class RowsField(forms.Field):
    """A list of objects; each needs its first column, and names it once."""

    def __init__(
        self, columns: Sequence[Column], *, unique: bool = True, **kwargs: Any
    ) -> None:
        self.columns, self.unique = columns, unique
        super().__init__(widget=RowsWidget(columns), required=False, **kwargs)

    def clean(self, value: Any) -> list[dict[str, Any]]:
        """Return the rows without their empty cells."""
        first = self.columns[0].key
        rows = [
            {key: cell for key, cell in row.items() if cell != ""}
            for row in value or []
        ]
        if any(not row.get(first) for row in rows):
            raise ValidationError(
                _("Falta «%(column)s» en una fila."),
                params={"column": self.columns[0].label},
            )
        names = [row[first] for row in rows]
        if self.unique and len(set(names)) != len(names):
            raise ValidationError(_("Hay dos filas con el mismo nombre."))
        return rows

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether the rows differ from the stored ones."""
        return bool((initial or []) != (data or []))


class LinesField(forms.CharField):
    """A JSON list of texts, typed one a line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def prepare_value(self, value: Any) -> Any:
        """Show a stored list as lines."""
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the lines that hold something."""
        text = super().to_python(value) or ""
        return [line.strip() for line in text.splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether the lines differ from the stored list."""
        return bool((initial or []) != self.to_python(data))
