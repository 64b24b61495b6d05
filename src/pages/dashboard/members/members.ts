import { missingResource } from '../../../contract/declarations/errors.ts'
import { goTo } from '../kit/answers.ts'
import { type Answer, type Refusal, refusalOf, rowsOf } from '../kit/ask.ts'
import { goDone } from '../kit/notices.ts'
import { type DashboardPage, pageAt } from '../kit/page.ts'
import type { Visit } from '../kit/visit.ts'
import { refundLimitPage } from './refund-limits.ts'
import { MEMBERS, type Member, membersPage, removePage } from './show.ts'

/** The people of the account, and those who are invited. */
export const members: DashboardPage[] = [
  refundLimitPage,
  {
    path: MEMBERS,
    get: (visit) => membersPage(visit),
    post: async (visit, _, form) => {
      const body = { email: form.get('email') ?? '', role: form.get('role') ?? '' }
      const answer = await visit.ask('POST /invitations', { body })
      const refusal = refusalOf(answer)
      return refusal ? refused(visit, refusal, answer.status, body) : goDone(visit, `${visit.base}${MEMBERS}`, 'sent')
    },
  },
  pageAt({
    path: `${MEMBERS}/:id/role`,
    post: (visit, { id }, form) =>
      change(visit, visit.ask('PATCH /members/{id}', { path: { id }, body: { role: form.get('role') ?? '' } })),
  }),
  pageAt({
    path: `${MEMBERS}/:id/remove`,
    get: async (visit, { id }) => removePage(visit, await memberOf(visit, id)),
    post: async (visit, { id }) => {
      const { self } = await memberOf(visit, id)
      const answer = await change(visit, visit.ask('DELETE /members/{id}', { path: { id } }))
      return self && answer.status === 303 ? goTo('/dashboard') : answer
    },
  }),
  pageAt({
    path: `${MEMBERS}/invitations/:id/resend`,
    post: (visit, { id }) => change(visit, visit.ask('POST /invitations/{id}/resend', { path: { id } }), 'sent'),
  }),
  pageAt({
    path: `${MEMBERS}/invitations/:id/revoke`,
    post: (visit, { id }) => change(visit, visit.ask('DELETE /invitations/{id}', { path: { id } }), 'deleted'),
  }),
]

async function change(visit: Visit, asked: Promise<Answer<object>>, done = 'done'): Promise<Response> {
  const answer = await asked
  const refusal = refusalOf(answer)
  return refusal ? refused(visit, refusal, answer.status) : goDone(visit, `${visit.base}${MEMBERS}`, done)
}

function refused(visit: Visit, refusal: Refusal, status: number, typed?: { email: string; role: string }) {
  return membersPage(visit, { refusal, status, ...(typed && { typed }) })
}

/** One of the people. Throws what answers with a page that says so for anybody else. */
async function memberOf(visit: Visit, id: string): Promise<Member> {
  const { rows } = await rowsOf(visit.ask('GET /members'))
  const found = rows.find((one) => one.id === id)
  if (!found) throw missingResource('member')
  return found
}
