import { type FieldErrors, invalid } from '../../../../contract/declarations/errors.ts'
import type { Context } from '../../../../records/context.ts'
import { findRows } from '../../../../records/records.ts'
import { SocialAccount, type SocialAccountRow } from '../social-account/social-account.ts'
import type { Draft } from './content.ts'
import { type Fit, fitsOf } from './limits.ts'

interface Candidate extends Draft {
  social_accounts: string[]
}

/** Returns the accounts of a post. Throws a 422 with all problems when the post violates the limits of an account. */
export async function requirePublishable(
  context: Context,
  post: Candidate,
  scheduled: boolean,
): Promise<SocialAccountRow[]> {
  const found = await findRows(context, SocialAccount, post.social_accounts)
  const accounts = post.social_accounts.flatMap((id) => found.get(id) ?? [])
  const errors: FieldErrors = {}
  for (const [index, id] of post.social_accounts.entries())
    if (!found.has(id)) errors[`social_accounts.${index}`] = ['was disconnected; remove it']
  for (const fit of await fitsOf(context, { draft: post, accounts, scheduled }))
    addProblems(errors, fit, post.social_accounts.indexOf(fit.account.id))
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return accounts
}

/** Adds the problems of one account to `errors`. A problem that several accounts of a platform have is added only once. */
function addProblems(errors: FieldErrors, { problems }: Fit, index: number): void {
  for (const { field, message } of problems) {
    const name = field === 'account' ? `social_accounts.${index}` : field
    errors[name] = [...new Set([...(errors[name] ?? []), message])]
  }
}
