import { missingResource } from '../../../contract/declarations/errors.ts'
import { goTo } from '../kit/answers.ts'
import { type Refusal, refusalOf, shownAs } from '../kit/ask.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import type { Visit } from '../kit/visit.ts'
import { MEMBERS, type Member, membersPage, removePage } from './show.ts'

/** The people of the account, and those who are invited. */
export const members: DashboardPage[] = [
  {
    path: MEMBERS,
    get: (visit) => membersPage(visit),
    post: async (visit, _, form) => {
      const body = { email: form.get('email') ?? '', role: form.get('role') ?? '' }
      const answer = await visit.askAny('POST', '/invitations', { body })
      const refusal = refusalOf(answer)
      return refusal ? refused(visit, refusal, answer.status, body) : goDone(visit, `${visit.base}${MEMBERS}`, 'sent')
    },
  },
  {
    path: `${MEMBERS}/:id/role`,
    post: (visit, { id }, form) => change(visit, 'PATCH', `/members/${id}`, { role: form.get('role') ?? '' }),
  },
  {
    path: `${MEMBERS}/:id/remove`,
    get: async (visit, { id }) => removePage(visit, await memberOf(visit, id!)),
    post: async (visit, { id }) => {
      const { self } = await memberOf(visit, id!)
      const answer = await change(visit, 'DELETE', `/members/${id}`)
      return self && answer.status === 303 ? goTo('/dashboard') : answer
    },
  },
  {
    path: `${MEMBERS}/invitations/:id/resend`,
    post: (visit, { id }) => change(visit, 'POST', `/invitations/${id}/resend`, undefined, 'sent'),
  },
  {
    path: `${MEMBERS}/invitations/:id/revoke`,
    post: (visit, { id }) => change(visit, 'DELETE', `/invitations/${id}`, undefined, 'deleted'),
  },
]

async function change(visit: Visit, method: string, path: string, body?: object, done = 'done'): Promise<Response> {
  const answer = await visit.askAny(method, path, { body })
  const refusal = refusalOf(answer)
  return refusal ? refused(visit, refusal, answer.status) : goDone(visit, `${visit.base}${MEMBERS}`, done)
}

function refused(visit: Visit, refusal: Refusal, status: number, typed?: { email: string; role: string }) {
  return membersPage(visit, { refusal, status, ...(typed && { typed }) })
}

/** One of the people. Throws what answers with a page that says so for anybody else. */
async function memberOf(visit: Visit, id: string): Promise<Member> {
  const { data } = await shownAs<{ data: Member[] }>(visit.askAny('GET', '/members'))
  const found = data.find((one) => one.id === id)
  if (!found) throw missingResource('member')
  return found
}
