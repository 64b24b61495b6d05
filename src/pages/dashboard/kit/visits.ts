import { setTimeout as delay } from 'node:timers/promises'
import type { SignedIn } from '../../../access/people/people.ts'
import type { SessionCaller, UserCaller } from '../../../contract/declarations/caller.ts'
import { requireRoleRight } from '../../../pipeline/permit.ts'
import { RefusedTogether } from '../../../pipeline/together.ts'
import { takingOf } from '../../../resources/sales/payment/provider.ts'
import type { PageRequest } from '../../parts/page-parts.ts'
import { type Call, type CallAny, callByName, type Read, refusalOf, shown } from './call.ts'
import type { DashboardContext, DashboardParts } from './visit.ts'

const PURPOSE = 'dashboard_form'
/** A form submitted twice waits at most this long for the first result, because the browser shows the second response. */
const FIRST_ANSWER_MS = 10_000
const ASK_AGAIN_MS = 100

export async function visitOf(
  shared: Pick<DashboardContext, 'parts' | 'catalogue' | 'pages'>,
  incoming: PageRequest,
  person: SignedIn,
  own: Pick<DashboardContext, 'membership' | 'memberships'>,
): Promise<DashboardContext> {
  const { parts } = shared
  const { pathname, searchParams } = new URL(incoming.request.url)
  const { accountId, role, subdomain } = own.membership
  const caller: SessionCaller = { kind: 'session', sessionId: person.sessionId, accountId, userId: person.userId, role }
  incoming.noteCaller(caller)
  const callAny = operationCaller(parts, caller)
  const call = callByName(callAny)
  const [account, taking] = await Promise.all([
    shown(call('GET /account')),
    parts.pipeline.visits.look(caller, takingOf),
  ])
  return {
    ...{ ...shared, ...own, person, account, taking, caller, incoming, call, callAny },
    logo: await logoOf(call, account),
    path: pathname,
    query: searchParams,
    base: `/dashboard/${subdomain}`,
    csrf: parts.services.vault.derive(PURPOSE, person.sessionId),
    read: readerFor(parts, caller),
  }
}

async function logoOf(call: Call, { branding }: DashboardContext['account']): Promise<string | null> {
  const id = branding.logo_file
  if (!id) return null
  const answer = await call('GET /files/{id}', { path: { id } })
  return refusalOf(answer) ? null : answer.body.file_url
}

/** Returns a function that reads data of the caller's account, with the rights of the caller's role. */
export function readerFor({ pipeline }: Pick<DashboardParts, 'pipeline'>, caller: UserCaller): Read {
  return async ({ needs, rule }, ...given) => {
    requireRoleRight(caller, needs)
    return pipeline.visits.look(caller, (context) => rule(context, ...given))
  }
}

/** Returns a function that calls operations as the given caller, including operations that only the dashboard has. */
export function operationCaller({ pipeline }: Pick<DashboardParts, 'pipeline'>, caller: UserCaller): CallAny {
  const once: CallAny = (method, path, { query = {}, body, key } = {}) => {
    const asked = { method, path, query, body, idempotencyKey: key ?? undefined, caller, dashboard: true }
    return pipeline.runUnmetered(asked) as ReturnType<CallAny>
  }
  return async (method, path, given) => {
    const until = performance.now() + FIRST_ANSWER_MS
    for (;;) {
      const answer = await once(method, path, given)
      if (refusalOf(answer)?.code !== 'idempotency_key_in_use' || performance.now() > until) return answer
      await delay(ASK_AGAIN_MS)
    }
  }
}

/** Runs operations in one transaction, which any error rolls back. `work` may run again; `call` throws RefusedTogether. */
export function callTogether<Result>(
  { parts: { pipeline }, caller }: Pick<DashboardContext, 'parts' | 'caller'>,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  return pipeline.together(caller, (run) => {
    const callAny = async (method: string, path: string, { query = {}, body, key }: RequestOptions = {}) => {
      const answer = await run({ method, path, query, body, idempotencyKey: key ?? undefined, dashboard: true })
      if (answer.status >= 400) throw new RefusedTogether(answer)
      return answer
    }
    return work(callByName(callAny as CallAny))
  })
}

type RequestOptions = NonNullable<Parameters<CallAny>[2]>

/** Returns whether a form's token was issued to this session. */
export function isOwnToken({ services: { vault } }: DashboardParts, { sessionId }: SignedIn, given: string): boolean {
  return vault.matches(PURPOSE, sessionId, given)
}
