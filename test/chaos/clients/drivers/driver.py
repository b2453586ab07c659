"""Drives the Python SDK: reads commands as lines of JSON, and answers each with a line."""

import base64
import json
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4] / "sdks/python"))

import remote_printing as rps  # noqa: E402


class Cursor:
    def __init__(self, stored):
        self.stored = stored
        self.saved = []

    def load(self):
        return self.stored

    def save(self, cursor):
        self.saved.append(cursor)


def client_of(command, pauses):
    options = {name: command[name] for name in ("timeout", "deadline", "max_retries") if command.get(name) is not None}
    key = command.get("api_key", "svc_live_secret")
    return rps.RemotePrinting(key, command["base_url"], sleep=pauses.append, **options)


def submitted(outcome):
    job, replayed = outcome
    return {**job_of(job), "replayed": replayed, "restored_from": outcome.restored_from}


def job_of(job):
    return {"job_id": job["job_id"], "status": job["status"]}


def call(command, client):
    jobs, given, key = client.jobs, command.get("arguments", {}), command.get("key")
    operation = command["operation"]
    if operation == "test":
        return client.test_printer(given["printer_id"])
    if operation == "create":
        content = rps.text(given["text"])
        return submitted(jobs.create(printer_id=given["printer_id"], content=content, idempotency_key=key))
    if operation == "retry":
        return submitted(jobs.retry(given["job_id"], reason="paper was out", idempotency_key=key))
    if operation == "reprint":
        return submitted(jobs.reprint(given["job_id"], idempotency_key=key))
    if operation == "get":
        return job_of(jobs.get(given["job_id"]))
    if operation == "cancel":
        return job_of(jobs.cancel(given["job_id"], reason="ordered twice"))
    if operation == "list":
        return [job["job_id"] for job in jobs.list(**given)]
    seen = []
    ended = jobs.wait(given["job_id"], timeout=given.get("timeout"), on_change=lambda job: seen.append(job["status"]))
    return {"outcome": ended.outcome, "status": ended.job["status"], "seen": seen}


def changes(command, client):
    store = Cursor(command.get("stored"))
    feed = client.changes(after=command.get("after"), store=store, follow=command["follow"])
    items = [item["event_id"] for item in islice(feed, command.get("take"))]
    return {"items": items, "saved": store.saved}


def create_many(command, client):
    def create(number):
        content = rps.text(f"Receipt {number}")
        return client.jobs.create(printer_id=command["printer_id"], content=content).job["job_id"]

    with ThreadPoolExecutor(8) as pool:
        return {"job_ids": list(pool.map(create, range(command["count"])))}


def verify(command):
    event = rps.verify_webhook(
        base64.b64decode(command["body"]),
        command["headers"],
        command["secrets"],
        tolerance=command["tolerance"],
        now=command["now"],
    )
    return {"event_type": event["event_type"]}


def error_of(error):
    if isinstance(error, rps.WebhookVerificationError):
        return {"kind": "webhook", "reason": error.reason}
    kinds = {rps.ApiError: "api", rps.NoAnswerError: "no_answer", rps.WaitTimeoutError: "wait_timeout"}
    kind = next(kind for known, kind in kinds.items() if isinstance(error, known))
    facts = {"kind": kind, "attempts": error.attempts, "key": error.idempotency_key, "message": str(error), "text": "".join(traceback.format_exception(type(error), error, error.__traceback__))}
    if kind == "api":
        facts.update(status=error.status, code=error.code, retryable=error.retryable)
    return facts


def answer(command):
    pauses = []
    try:
        if command["do"] == "verify":
            return {"result": verify(command)}
        does = {"call": call, "changes": changes, "create_many": create_many}[command["do"]]
        return {"result": does(command, client_of(command, pauses)), "pauses": pauses}
    except (rps.RemotePrintingError, rps.WebhookVerificationError) as error:
        return {"error": error_of(error), "pauses": pauses}
    except ValueError:
        return {"error": {"kind": "argument"}}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
