import { missingResource } from '../../../contract/declarations/errors.ts'
import { formatMoney } from '../../../format/money.ts'
import { RefusedTogether } from '../../../pipeline/together.ts'
import { accountMembers, type ShownMember } from '../../../resources/dashboard/member/find.ts'
import type { Problem } from '../../parts/markup.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { goDone, goTo } from '../kit/answers.ts'
import { type Answer, refusalOf } from '../kit/call.ts'
import { type DashboardContext, type DashboardPage, pageAt } from '../kit/visit.ts'
import { callTogether } from '../kit/visits.ts'
import { limitIn, refundLimitPage } from './refund-limits.ts'
import { MEMBERS, membersPage, removePage } from './show.ts'

export const memberPages: DashboardPage[] = [
  refundLimitPage,
  {
    path: MEMBERS,
    see: 'account.read',
    send: 'people.write',
    get: (visit) => membersPage(visit),
    post: invite,
  },
  pageAt({
    path: `${MEMBERS}/:id/role`,
    send: 'people.write',
    post: (visit, { id }, form) =>
      change(visit, visit.call('PATCH /members/{id}', { path: { id }, body: { role: form.get('role') ?? '' } })),
  }),
  pageAt({
    path: `${MEMBERS}/:id/remove`,
    see: 'self.write',
    get: async (visit, { id }) => removePage(visit, await memberOf(visit, id)),
    post: async (visit, { id }) => {
      const { self } = await memberOf(visit, id)
      const answer = await change(visit, visit.call('DELETE /members/{id}', { path: { id } }))
      return self && answer.status === 303 ? goTo('/dashboard') : answer
    },
  }),
  pageAt({
    path: `${MEMBERS}/invitations/:id/resend`,
    send: 'people.write',
    post: (visit, { id }) => change(visit, visit.call('POST /invitations/{id}/resend', { path: { id } }), 'sent'),
  }),
  pageAt({
    path: `${MEMBERS}/invitations/:id/revoke`,
    send: 'people.write',
    post: (visit, { id }) => change(visit, visit.call('DELETE /invitations/{id}', { path: { id } }), 'deleted'),
  }),
]

/** Sends an invitation and, for the role support, sets the refund limit in one transaction. Reports all errors at once. */
async function invite(visit: DashboardContext, _: unknown, form: URLSearchParams): Promise<Response> {
  const body = { email: form.get('email') ?? '', role: form.get('role') ?? '' }
  const limit = body.role === 'support' && form.get('amount')?.trim() ? limitIn(visit, form) : null
  let refused: RefusedTogether[] = []
  try {
    await callTogether(visit, async (call) => {
      refused = []
      const take = (error: unknown) => {
        if (!(error instanceof RefusedTogether)) throw error
        refused.push(error)
      }
      await call('POST /invitations', { body }).catch(take)
      if (limit) await call('PATCH /refund_limits', { body: limit }).catch(take)
      if (refused[0]) throw refused[0]
    })
  } catch (error) {
    if (!(error instanceof RefusedTogether)) throw error
    const problems = refused.flatMap(({ answer }) => problemsIn(visit, answer, limit?.currency))
    return membersPage(visit, { problems, status: error.answer.status, typed: form })
  }
  const may = limit
    ? ` Support may refund up to ${formatMoney(Number(limit.amount), limit.currency!)} of an order.`
    : ''
  return goDone(visit, `${visit.base}${MEMBERS}`, 'sent', `The invitation was sent to ${body.email.trim()}.${may}`)
}

async function change(visit: DashboardContext, asked: Promise<Answer<object>>, done = 'done'): Promise<Response> {
  const answer = await asked
  const problems = problemsIn(visit, answer)
  return problems.length > 0
    ? membersPage(visit, { problems, status: answer.status })
    : goDone(visit, `${visit.base}${MEMBERS}`, done)
}

function problemsIn(visit: DashboardContext, answer: Parameters<typeof refusalOf>[0], currency?: string): Problem[] {
  const fields = { ...visit.catalogue.bodyOf('POST /invitations'), ...visit.catalogue.bodyOf('PATCH /refund_limits') }
  return problemsOf(refusalOf(answer), fields, { currency: currency ?? null })
}

async function memberOf(visit: DashboardContext, id: string): Promise<ShownMember> {
  const found = (await visit.read(accountMembers)).find((one) => one.id === id)
  if (!found) throw missingResource('member')
  return found
}
