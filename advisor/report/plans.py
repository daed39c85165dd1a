"""Plans of `fix` in each of its formats."""

from msgspec import Struct

from advisor.lint.plan import DevicePlan
from advisor.lint.site import Site
from advisor.report import config_diff, plan_markdown, snippet
from advisor.report.terminal import PLAIN, RenderOptions


class Plans(Struct, frozen=True):
    """Plans of devices, when the router takes a change back, and the header of the site."""

    devices: tuple[DevicePlan, ...]
    guard_minutes: int | None = None
    site: Site | None = None


def render_ios(plans: Plans, _options: RenderOptions = PLAIN) -> str:
    """Render lines to paste."""
    return snippet.render_ios(plans.devices, plans.guard_minutes, plans.site)


def render_diff(plans: Plans, _options: RenderOptions = PLAIN) -> str:
    """Render the configurations before and after as a unified diff."""
    edited = (snippet.masked_plan(plan).edited for plan in plans.devices)
    return config_diff.render_diff(filter(None, edited))


def render_json(plans: Plans, _options: RenderOptions = PLAIN) -> str:
    """Render the plans as JSON."""
    return snippet.render_json(plans.devices, plans.guard_minutes)


def render_markdown(plans: Plans, _options: RenderOptions = PLAIN) -> str:
    """Render the plans as Markdown."""
    return plan_markdown.render(plans.devices, plans.guard_minutes)
