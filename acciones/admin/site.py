"""The admin site of Maya."""

from django.contrib.admin import AdminSite


class MayaAdminSite(AdminSite):
    """Django's own admin, scoped to a member's sites."""

    site_header = "Maya"
    site_title = "Maya"
