"""The address that owners' systems call when a run has ended."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from acciones import callbacks
from maya.lib.http import MAXIMUM_BYTES

from .problems import MEDIA_TYPE


@csrf_exempt
@require_POST
def callback(request: HttpRequest, run_id: str) -> HttpResponse:
    """Take a signed final answer; codes 200, 400, 403 and 409 as in the seed."""
    verdict = callbacks.receive(
        run_id,
        body=request.read(MAXIMUM_BYTES + 1),
        timestamp=request.headers.get("x-maf-timestamp", ""),
        signature=request.headers.get("x-maf-signature", ""),
    )
    if verdict.status == 200:
        return JsonResponse({"status": "ok"})
    return JsonResponse(
        {
            "type": f"urn:maya:{verdict.code}",
            "title": verdict.detail,
            "status": verdict.status,
            "code": verdict.code,
            "detail": verdict.detail,
        },
        status=verdict.status,
        content_type=MEDIA_TYPE,
    )
