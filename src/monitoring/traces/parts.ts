import type { Database, OpenTransaction } from '../../database/database.ts'
import type { OperationAnswer, OperationRequest } from '../../pipeline/request.ts'
import type { JobType } from '../../records/job.ts'
import type { Services } from '../../records/services.ts'
import type { OpenSandbox } from '../../sandbox/api.ts'
import type { RequestRecord } from '../records.ts'
import { type OpenSpan, remoteParent, type Traces, traced } from './traces.ts'

type Handler<Bindings> = (request: Request, bindings?: Bindings) => Response | Promise<Response>
type RunOperation = (request: OperationRequest) => Promise<OperationAnswer>

/** Traces each request, as part of the trace that its `traceparent` header names, if any. */
export function tracedRequests<Bindings>(answer: Handler<Bindings>, traces: Traces | null): Handler<Bindings> {
  if (!traces) return answer
  return (request, bindings) =>
    traced(
      traces,
      request.method,
      { kind: 'server', parent: remoteParent(request.headers.get('traceparent')) },
      async () => answer(request, bindings),
    )
}

export function describeRequest(traces: Traces | null, record: RequestRecord, status: number): void {
  const span = traces?.current()
  if (!span) return
  const { method, operation, transport, requestId, accountId } = record
  span.rename(`${method} ${operation || 'none'}`)
  span.set({ 'http.request.method': method, 'http.response.status_code': status, 'shopwright.transport': transport })
  span.set({ 'shopwright.operation': operation || 'none', 'shopwright.request_id': requestId })
  if (accountId !== undefined) span.set({ 'shopwright.account_id': accountId })
  if (status >= 500) span.fail(String(status))
}

export function tracedCalls(run: RunOperation, traces: Traces | null): RunOperation {
  if (!traces) return run
  return (request) =>
    traced(traces, `call ${request.method}`, {}, async (span) => {
      const answer = await run(request)
      const operation = answer.operationId ?? 'none'
      span.rename(`call ${operation}`)
      span.set({ 'shopwright.operation': operation, 'http.response.status_code': answer.status })
      return answer
    })
}

/** Traces Ruby programs. Their calls arrive from another thread, so each is traced explicitly within the program's span. */
export function tracedSandbox(sandbox: OpenSandbox, traces: Traces | null): OpenSandbox {
  if (!traces) return sandbox
  return {
    load: () => sandbox.load(),
    close: () => sandbox.close(),
    run: (program) =>
      traced(traces, `program ${program.kind}`, {}, async (span) => {
        const { call } = program
        const led = call && { call: (one: Parameters<typeof call>[0]) => traces.within(span, () => call(one)) }
        const outcome = await sandbox.run({ ...program, ...led })
        span.set({ 'shopwright.program.run_ms': Math.round(outcome.durationMs) })
        if (!outcome.ok) span.fail(outcome.error.type)
        return outcome
      }),
  }
}

/** Traces each job as a trace of its own, because the request that enqueued it was answered long ago. */
export function tracedJob(type: JobType<unknown>, traces: Traces | null): JobType<unknown> {
  if (!traces) return type
  const work: JobType<unknown>['work'] = (job, payload) => {
    const { jobId, accountId, attempt } = job
    const attributes = { 'shopwright.job_id': jobId, 'shopwright.account_id': accountId, 'shopwright.attempt': attempt }
    return traced(traces, `job ${type.name}`, { kind: 'consumer', attributes, root: true }, () =>
      type.work(job, payload),
    )
  }
  return { ...type, work }
}

/** Traces emails, which are not sent over HTTP, and webhook deliveries, whose spans need a name. */
export function tracedServices(services: Services, traces: Traces | null): Services {
  if (!traces) return services
  const { mail, webhooks } = services
  return {
    ...services,
    mail: {
      ...mail,
      providerFor(account) {
        const provider = mail.providerFor(account)
        const send: typeof provider.send = (message, signal) =>
          traced(traces, 'mail', { kind: 'client' }, () => provider.send(message, signal))
        return { ...provider, send, close: () => provider.close() }
      },
    },
    webhooks: {
      send: (attempt) =>
        traced(traces, `deliver ${attempt.type}`, { kind: 'consumer', root: true }, async (span) => {
          span.set({ 'shopwright.delivery_id': attempt.id, 'shopwright.attempt': attempt.number })
          const result = await webhooks.send(attempt)
          if (!result.delivered) span.fail(result.status === null ? 'no_answer' : String(result.status))
          return result
        }),
    },
  }
}

export function tracedDatabase<Tables>(inner: Database<Tables>, traces: Traces | null): Database<Tables> {
  if (!traces) return inner
  const attributes = { 'db.system.name': inner.engine === 'sqlite' ? 'sqlite' : 'postgresql' }
  return {
    engine: inner.engine,
    read: inner.read,
    load: () => inner.load(),
    ping: () => inner.ping(),
    close: () => inner.close(),
    transaction: (work, options) =>
      traces.current()
        ? traced(traces, 'transaction', { attributes }, () => inner.transaction(work, options))
        : inner.transaction(work, options),
    program: (options) => {
      const open = inner.program(options)
      return traces.current() ? tracedProgram(open, traces.begin('transaction of a program', { attributes })) : open
    },
  }
}

function tracedProgram<Tables>(open: OpenTransaction<Tables>, span: OpenSpan): OpenTransaction<Tables> {
  let ended = false
  const end = (outcome: string) => {
    if (ended) return
    ended = true
    span.set({ 'shopwright.outcome': outcome })
    span.end()
  }
  return {
    read: open.read,
    transaction: (work, options) => open.transaction(work, options),
    settled: () => open.settled(),
    commit: () =>
      open.commit().then(
        () => end('committed'),
        (error) => {
          end('lost')
          throw error
        },
      ),
    rollback: () => open.rollback().finally(() => end('undone')),
  }
}
