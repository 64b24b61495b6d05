import { LIST_PARAMETERS } from '../../../contract/requests/query.ts'
import type { Context } from '../../../records/context.ts'
import { custom, customList } from '../../../records/custom.ts'
import { NO_USE, readCaps, usesToday } from '../../../records/daily-caps.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { namesOf } from '../../company/user/names.ts'
import { requireVisible, visiblePage } from '../sight.ts'
import { ApiToken, type ApiTokenRow } from './api-token.ts'
import { createApiToken, deleteApiToken } from './write.ts'

const { create, remove } = verbs(ApiToken)

export const apiTokens = resource(ApiToken, {
  derive: deriveTokens,
  dashboard: [
    customList({
      id: 'list_api_tokens',
      method: 'GET',
      path: '/api_tokens',
      summary: 'List API tokens: one’s own, or everybody’s for owners and admins',
      answers: ApiToken,
      query: LIST_PARAMETERS,
      rule: (context, { query }) => visiblePage(context, ApiToken, query),
    }),
    custom({
      id: 'retrieve_api_token',
      method: 'GET',
      path: '/api_tokens/{id}',
      summary: 'Show an API token, without its value',
      answers: ApiToken,
      rule: (context, { path }) => requireVisible(context, ApiToken, path.id),
    }),
    create({
      right: 'self.token',
      inTurn: true,
      summary: 'Create an API token; its value is shown once',
      callers: ['session'],
      rule: createApiToken,
    }),
    remove({
      summary: 'Delete an API token; it stops working at once',
      callers: ['session'],
      rule: (context, { id }) => deleteApiToken(context, id),
    }),
  ],
})

async function deriveTokens(tokens: ApiTokenRow[], context: Context): Promise<Derived[]> {
  const people = await namesOf(
    context,
    tokens.map(({ user_id }) => user_id),
  )
  const uses = await usesToday(
    context,
    tokens.map(({ id }) => id),
  )
  return tokens.map((token) => {
    const { name = '', email = '' } = people.get(token.user_id) ?? {}
    const value = 'value' in token ? token.value : null
    const { credits = null, emails = null, refunds = null, currency = null } = readCaps(token.caps)
    const used = uses.get(token.id) ?? NO_USE
    return {
      ...{ right: token.right_name, role: token.role_name, value, user_name: name, user_email: email },
      ...{ credits_per_day: credits, emails_per_day: emails, refunds_per_day: refunds, refunds_currency: currency },
      ...{ credits_today: used.credits, emails_today: used.emails, refunds_today: used.refunds },
    }
  })
}
