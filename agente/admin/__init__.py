"""The talker in the admin: agents, policies, the language model, turns to read."""

from django.contrib import admin

from agente.models import Agent, Language, Policy, Rehearsal, Turn

from .agents import AgentAdmin
from .languages import LanguageAdmin
from .policies import PolicyAdmin
from .rehearsals import RehearsalAdmin
from .turns import TurnAdmin

admin.site.register(Agent, AgentAdmin)
admin.site.register(Language, LanguageAdmin)
admin.site.register(Policy, PolicyAdmin)
admin.site.register(Rehearsal, RehearsalAdmin)
admin.site.register(Turn, TurnAdmin)
