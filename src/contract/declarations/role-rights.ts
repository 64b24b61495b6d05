import { listed } from '../../format/lists.ts'
import { keysOf } from '../values/keys.ts'
import { type Caller, isUser, ROLES, type Role, type UserCaller } from './caller.ts'
import type { Noun } from './noun.ts'

/** The areas of rights and their nouns; the noun of an operation determines its area. */
const AREA_NOUNS = {
  account: [
    'account',
    'user',
    'member',
    'overview',
    'search_result',
    'letter_settings',
    'letter_preview',
    'credit_entry',
    'storage_use',
    'event_type',
  ],
  products: ['product', 'price_variant', 'discount', 'review', 'checkout_link', 'product_sales'],
  sales: [
    'order',
    'order_item',
    'refund',
    'dispute',
    'dispute_evidence',
    'subscription',
    'invoice',
    'checkout',
    'access_grant',
    'report',
    'recovery',
    'payment_link',
  ],
  customers: ['customer', 'tag', 'email', 'email_body', 'form_submission'],
  content: [
    ...['blog_post', 'blog_category', 'experience', 'legal_page', 'file', 'file_uses'],
    ...['form', 'ai_site', 'site_build', 'web_map'],
  ],
  social: [
    ...['social_account', 'social_platform', 'social_account_health', 'social_post', 'social_post_validation'],
    ...['social_post_target', 'social_comment', 'social_analytics', 'social_analytics_timeline', 'social_best_times'],
  ],
  automation: ['task', 'task_run', 'event_source', 'event_source_type'],
  programs: [
    ...['program_run', 'program_plan', 'background_program', 'plan_comparison', 'program_answer'],
    ...['question'],
  ],
  developers: ['webhook_endpoint', 'webhook_test', 'webhook_event', 'webhook_attempt', 'event', 'api_request'],
  company: ['formation', 'formation_document'],
  wallet: ['x402_configuration'],
  people: ['invitation'],
  settings: [
    'payment_settings',
    'payment_onboarding',
    'mail_settings',
    'model_settings',
    'service_connections',
    'refund_limit',
  ],
  log: ['log_entry'],
  ownership: ['account_export', 'account_deletion'],
  self: ['test_account', 'api_token', 'connection', 'saved_view'],
} as const satisfies Record<string, readonly string[]>

type Area = keyof typeof AREA_NOUNS

/** A right of a role: to read or write in an area, or a single ability. */
export type RoleRight =
  | `${Area}.${'read' | 'write'}`
  /** Spend the account's credits: questions to a model, model runs, web maps. */
  | 'account.spend'
  /** Create API tokens for oneself. */
  | 'self.token'
  /** Share saved views with the whole account. */
  | 'self.share'
  /** Refund within the account's refund limits. */
  | 'sales.refund'
  /** Refund any amount. */
  | 'sales.refund_any'
  /** Delete data that a buyer submitted. */
  | 'customers.erase'
  /** Run programs; each call in them needs its own right. */
  | 'programs.run'
  /** Read, stop and resume the programs of others. */
  | 'programs.read_any'
  /** See and revoke the tokens and connections of others. */
  | 'people.access'
  /** Visit sites that only admins may see. */
  | 'content.visit_any'

/** Rights of operations that do not follow from their noun and from whether they write. */
const OPERATION_RIGHTS: Readonly<Record<string, RoleRight>> = {
  create_refund: 'sales.refund',
  list_refund_limits: 'sales.refund',
  // The response to a dispute decides whether money is kept or returned, like a refund.
  answer_dispute: 'sales.refund',
  accept_dispute: 'sales.refund',
  delete_form_submission: 'customers.erase',
  create_api_token: 'self.token',
  play_program: 'programs.run',
  ask_question: 'account.spend',
  create_test_account: 'settings.write',
  delete_test_account: 'self.write',
  // Members choose their own e-mail notifications.
  set_own_letters: 'self.write',
  // Sending a payment link is as harmless as any e-mail that support writes.
  mail_payment_link: 'sales.write',
  update_member: 'people.write',
  // Anyone may leave the account; the rule requires more rights to remove others.
  remove_member: 'self.write',
}

/** Rights of every role: managing one's own tokens, connections and test accounts, and running programs. */
const EVERYBODY = ['account.read', 'self.read', 'self.write', 'programs.run'] as const

const VIEWER: readonly RoleRight[] = [
  ...EVERYBODY,
  ...(['products.read', 'sales.read', 'customers.read', 'content.read', 'social.read', 'automation.read'] as const),
  'company.read',
]

const SUPPORT: readonly RoleRight[] = [
  ...VIEWER,
  ...(['sales.write', 'sales.refund', 'customers.write', 'programs.read', 'programs.write'] as const),
  ...(['account.spend', 'self.share'] as const),
]

const EDITOR: readonly RoleRight[] = [
  ...VIEWER,
  ...(['products.write', 'content.write', 'social.write', 'programs.read', 'programs.write'] as const),
  ...(['account.spend', 'self.share'] as const),
]

/** The rights that all non-admins had before other roles existed; kept unchanged. */
const MEMBER: readonly RoleRight[] = [
  ...SUPPORT,
  ...EDITOR,
  ...(['automation.write', 'company.write', 'developers.read', 'developers.write'] as const),
  ...(['wallet.read', 'self.token', 'sales.refund_any'] as const),
]

const ADMIN: readonly RoleRight[] = [
  ...MEMBER,
  ...(['account.write', 'wallet.write', 'people.read', 'people.write', 'people.access', 'programs.read_any'] as const),
  ...(['settings.read', 'settings.write', 'log.read', 'customers.erase', 'content.visit_any'] as const),
]

const OWNER: readonly RoleRight[] = [...ADMIN, 'ownership.read', 'ownership.write']

/** The rights of each role. They are sets: roles have no order. */
export const ROLE_RIGHTS: Readonly<Record<Role, ReadonlySet<RoleRight>>> = {
  owner: new Set(OWNER),
  admin: new Set(ADMIN),
  editor: new Set(EDITOR),
  support: new Set(SUPPORT),
  viewer: new Set(VIEWER),
  member: new Set(MEMBER),
}

/** Roles that can be assigned; existing members keep the old role `member`. */
export const OFFERED_ROLES = ROLES.filter((role) => role !== 'member')

const AREA_OF = new Map<string, Area>(
  keysOf(AREA_NOUNS).flatMap((area) => AREA_NOUNS[area].map((noun): [string, Area] => [noun, area])),
)

/** Returns the right that an operation needs. A noun without an area falls back to owners only; a test finds such nouns. */
export function rightFor({ id, noun, writes }: { id: string; noun: Pick<Noun, 'name'>; writes: boolean }): RoleRight {
  const own = OPERATION_RIGHTS[id]
  if (own) return own
  const area = AREA_OF.get(noun.name)
  return area === undefined ? 'ownership.write' : `${area}.${writes ? 'write' : 'read'}`
}

export function rolesWith(right: RoleRight): Role[] {
  return ROLES.filter((role) => ROLE_RIGHTS[role].has(right))
}

/** Returns the roles that include a right if `member` lacks it, or null for everyday work. */
export function narrowRoles(right: RoleRight): Role[] | null {
  return ROLE_RIGHTS.member.has(right) ? null : rolesWith(right)
}

/** Returns the roles that limit the caller: the person's, the token's and those of limiting actors. */
export function rolesOf({ role, otherRoles = [] }: Pick<UserCaller, 'role' | 'otherRoles'>): Role[] {
  return [...new Set([role, ...otherRoles])]
}

/** Whether every one of the roles includes a right: actors together may do only what each of them may. */
export function include(roles: readonly Role[], right: RoleRight): boolean {
  return roles.every((role) => ROLE_RIGHTS[role].has(right))
}

/** Whether the caller's roles, limiting ones included, include a right. Always false for callers that are not users. */
export function mayDo(caller: Caller, right: RoleRight): boolean {
  return isUser(caller) && include(rolesOf(caller), right)
}

/** Whether the roles together allow everything that another role does. */
export function cover(roles: readonly Role[], other: Role): boolean {
  return coverAll(roles, [other])
}

/** Whether the roles together allow everything that the others together do. */
export function coverAll(roles: readonly Role[], others: readonly Role[]): boolean {
  return [...ROLE_RIGHTS.owner].every((right) => !include(others, right) || include(roles, right))
}

/** Reduces roles to the fields of a caller, without duplicates and roles that another one implies. */
export function boundBy(roles: readonly Role[]): Pick<UserCaller, 'role' | 'otherRoles'> {
  const distinct = [...new Set(roles)]
  const least = distinct.filter((role) => !distinct.some((other) => other !== role && cover([role], other)))
  const [role = 'viewer', ...otherRoles] = least
  return otherRoles.length > 0 ? { role, otherRoles } : { role }
}

/** Returns the most powerful roles whose rights the given roles include in combination: `viewer` for an editor and support. */
export function commonRoles(roles: readonly Role[]): Role[] {
  const all = ROLES.filter((role) => cover(roles, role))
  return all.filter((role) => !all.some((other) => other !== role && cover([other], role)))
}

/** Returns the sentence of a refusal that lists the roles with the right. */
export function rolesNeeded(right: RoleRight): string {
  const all = rolesWith(right)
  return all.length === 1 ? `This requires the role ${all[0]}` : `This requires one of the roles ${listed(all, 'or')}`
}
