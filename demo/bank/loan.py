"""Amortise a balance in equal monthly payments (French system), to the cent."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

AGREED_RATE = Decimal("22.5")
"""The yearly rate, in percent, at which the bank restructures a card."""
SHORTEST, USUAL, LONGEST = 6, 18, 36
"""Terms in months."""

CENT = Decimal("0.01")
MONTHS_A_YEAR = 12


@dataclass(frozen=True, slots=True)
class Payment:
    """One month's payment: what goes to interest, what to the balance, what is left."""

    number: int
    amount: Decimal
    principal: Decimal
    interest: Decimal
    balance: Decimal


@dataclass(frozen=True, slots=True)
class Loan:
    """A balance restructured over some months at a yearly rate in percent."""

    principal: Decimal
    months: int
    rate: Decimal

    @property
    def monthly(self) -> Decimal:
        """The equal payment; the last one takes up what rounding left over."""
        if self.rate == 0:
            return _cents(self.principal / self.months)
        i = self._monthly_rate
        return _cents(self.principal * i / (1 - (1 + i) ** -self.months))

    @property
    def total(self) -> Decimal:
        """All payments together."""
        return sum((payment.amount for payment in self.schedule()), Decimal(0))

    @property
    def interest(self) -> Decimal:
        """What the customer pays beyond the balance."""
        return self.total - self.principal

    def schedule(self) -> list[Payment]:
        """Return every month's payment; the last one leaves a balance of zero."""
        payments: list[Payment] = []
        balance = self.principal
        for number in range(1, self.months + 1):
            interest = _cents(balance * self._monthly_rate)
            last = number == self.months
            amount = balance + interest if last else self.monthly
            balance -= amount - interest
            payments.append(
                Payment(number, amount, amount - interest, interest, balance)
            )
        return payments

    @property
    def _monthly_rate(self) -> Decimal:
        return self.rate / 100 / MONTHS_A_YEAR


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)
