import type { Context } from '../../../records/context.ts'
import type { Derived } from '../../../records/resource.ts'
import { namesOf } from '../../company/user/names.ts'
import type { ApiTokenRow } from './api_token.ts'

/** Whom each token acts for. */
export async function deriveTokens(tokens: ApiTokenRow[], context: Context): Promise<Derived[]> {
  const people = await namesOf(
    context,
    tokens.map(({ user_id }) => user_id),
  )
  return tokens.map((token) => {
    const { name = '', email = '' } = people.get(token.user_id) ?? {}
    const value = 'value' in token ? token.value : null
    return { right: token.right_name, role: token.role_name, value, user_name: name, user_email: email }
  })
}
