import { listed } from '../../words/lists.ts'
import { keysOf } from '../values/keys.ts'
import { type Caller, isUser, ROLES, type Role, type UserCaller } from './caller.ts'
import type { Noun } from './noun.ts'

/** What rights are about: each noun of an operation belongs to one area. */
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

/** What a role includes: to read or to write in an area, or something of its own. */
export type RoleRight =
  | `${Area}.${'read' | 'write'}`
  /** To spend the account's credits: questions to a model, runs of a model, web maps. */
  | 'account.spend'
  /** To make an API token of one's own. */
  | 'self.token'
  /** To share saved views with everybody in the account. */
  | 'self.share'
  /** To refund, as far as the account's limits for that allow. */
  | 'sales.refund'
  /** To refund any amount. */
  | 'sales.refund_any'
  /** To delete what a buyer has sent. */
  | 'customers.erase'
  /** To run programs, each of whose calls needs its own right. */
  | 'programs.run'
  /** To read, stop and let go on everybody's programs. */
  | 'programs.read_any'
  /** To see and end everybody's tokens and connections. */
  | 'people.access'
  /** To visit sites that are for admins only. */
  | 'content.visit_any'

/** Operations whose right does not follow from their noun and from whether they write. */
const OF_OPERATIONS: Readonly<Record<string, RoleRight>> = {
  create_refund: 'sales.refund',
  list_refund_limits: 'sales.refund',
  // An answer keeps money or gives it back, as a refund does.
  answer_dispute: 'sales.refund',
  accept_dispute: 'sales.refund',
  delete_form_submission: 'customers.erase',
  create_api_token: 'self.token',
  play_program: 'programs.run',
  ask_question: 'account.spend',
  create_test_account: 'settings.write',
  delete_test_account: 'self.write',
  // Everybody chooses which letters they get themselves.
  set_own_letters: 'self.write',
  // What buyers get costs no more than what support writes to them.
  mail_payment_link: 'sales.write',
  update_member: 'people.write',
  // Everybody may leave; the rule asks for more where it is about another person.
  remove_member: 'self.write',
}

/** Everybody may look after what is their own: tokens, connections, test accounts; and run programs, call by call. */
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

/** What everybody could do who was not an admin before there were further roles. It stays as it is. */
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

/** What each role may do. Rights are sets: no role is above another by itself. */
export const ROLE_RIGHTS: Readonly<Record<Role, ReadonlySet<RoleRight>>> = {
  owner: new Set(OWNER),
  admin: new Set(ADMIN),
  editor: new Set(EDITOR),
  support: new Set(SUPPORT),
  viewer: new Set(VIEWER),
  member: new Set(MEMBER),
}

/** Roles that are offered where one is given; `member` stays with those who have it. */
export const OFFERED_ROLES = ROLES.filter((role) => role !== 'member')

const AREA_OF = new Map<string, Area>(
  keysOf(AREA_NOUNS).flatMap((area) => AREA_NOUNS[area].map((noun): [string, Area] => [noun, area])),
)

/** The right that an operation needs. What no row is about is for owners alone; a test finds it. */
export function rightFor({ id, noun, writes }: { id: string; noun: Pick<Noun, 'name'>; writes: boolean }): RoleRight {
  const own = OF_OPERATIONS[id]
  if (own) return own
  const area = AREA_OF.get(noun.name)
  return area === undefined ? 'ownership.write' : `${area}.${writes ? 'write' : 'read'}`
}

/** All roles that include a right. */
export function rolesWith(right: RoleRight): Role[] {
  return ROLES.filter((role) => ROLE_RIGHTS[role].has(right))
}

/** The roles that include a right which a member lacks; null for what is everyday work. */
export function narrowRoles(right: RoleRight): Role[] | null {
  return ROLE_RIGHTS.member.has(right) ? null : rolesWith(right)
}

/** The roles that bound what a caller does: those of the person, of the token and of all who took part. */
export function rolesOf({ role, otherRoles = [] }: Pick<UserCaller, 'role' | 'otherRoles'>): Role[] {
  return [...new Set([role, ...otherRoles])]
}

/** Whether all of some roles include a right: what several do together is what each of them may. */
export function include(roles: readonly Role[], right: RoleRight): boolean {
  return roles.every((role) => ROLE_RIGHTS[role].has(right))
}

/** Whether a caller's role, and those of all who took part, include a right. Others than users have none. */
export function mayDo(caller: Caller, right: RoleRight): boolean {
  return isUser(caller) && include(rolesOf(caller), right)
}

/** Whether some roles together include all that another does. */
export function cover(roles: readonly Role[], other: Role): boolean {
  return coverAll(roles, [other])
}

/** Whether some roles together include all that others do together. */
export function coverAll(roles: readonly Role[], others: readonly Role[]): boolean {
  return [...ROLE_RIGHTS.owner].every((right) => !include(others, right) || include(roles, right))
}

/** Roles as those of a caller: each once, and none that another of them implies. */
export function boundBy(roles: readonly Role[]): Pick<UserCaller, 'role' | 'otherRoles'> {
  const distinct = [...new Set(roles)]
  const least = distinct.filter((role) => !distinct.some((other) => other !== role && cover([role], other)))
  const [role = 'viewer', ...otherRoles] = least
  return otherRoles.length > 0 ? { role, otherRoles } : { role }
}

/** The greatest roles that some roles together include: `viewer` of an editor and of support. */
export function commonRoles(roles: readonly Role[]): Role[] {
  const all = ROLES.filter((role) => cover(roles, role))
  return all.filter((role) => !all.some((other) => other !== role && cover([other], role)))
}

/** What a refusal says that was made for want of a right: the roles that may, and those that were too little. */
export function rolesNeeded(right: RoleRight): string {
  const all = rolesWith(right)
  return all.length === 1 ? `This requires the role ${all[0]}` : `This requires one of the roles ${listed(all, 'or')}`
}
