import { mayAct } from '../../../../contract/declarations/rights.ts'
import { INTERACTIONS } from '../../../../contract/values/post-audiences.ts'
import type { Context } from '../../../../records/context.ts'
import type { Derived } from '../../../../records/resource.ts'
import { secretOf } from '../../../../resources/sales/secret.ts'
import { limitsOf } from '../social-post/media-limits.ts'
import { SocialAccount, type SocialAccountRow } from './social-account.ts'

export function deriveAccounts(rows: SocialAccountRow[], context: Context): Derived[] {
  const { social } = context.services
  return rows.map((row) => ({
    connect_url: row.connecting && mayAct(context.caller, 'content.write') ? connectUrl(context, row) : null,
    sandbox: social.named(row.provider).simulation !== null,
    post_options: optionsOf(row),
  }))
}

function optionsOf(account: SocialAccountRow) {
  const { audiences, switchedOff } = limitsOf(account)
  if (!audiences) return null
  const interactions = INTERACTIONS.map((one) => [one, !switchedOff.includes(one)])
  return { privacy_level: audiences, ...Object.fromEntries(interactions) }
}

function connectUrl(context: Context, { id }: SocialAccountRow): string {
  return `${context.publicUrl}/social/connect/${secretOf(context, SocialAccount, id)}`
}
