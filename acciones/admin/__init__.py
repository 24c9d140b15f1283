"""The owner's house: Django's admin, narrowed to what a member may see and do.

``site.MayaAdminSite`` registers the ledger's models itself, so that it does not
matter which app's admin module is imported first.
"""
