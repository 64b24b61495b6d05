import { html } from 'hono/html'
import { ROLES, type Role } from '../../../contract/declarations/caller.ts'
import { cover, include, OFFERED_ROLES, type RoleRight } from '../../../contract/declarations/role-rights.ts'
import { MAX_EMAIL } from '../../../contract/values/email.ts'
import { keysOf } from '../../../contract/values/keys.ts'
import { listed } from '../../../format/lists.ts'
import { accountMembers, type ShownMember } from '../../../resources/dashboard/member/find.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, field, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { framed } from '../kit/answers.ts'
import { answeredRows } from '../kit/call.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { moment } from '../kit/value.ts'
import { type DashboardContext, may } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { settingsPage } from '../settings/tabs.ts'
import { type Limits, limitOfInvitation, limitsOf, refundLimitsCard } from './refund-limits.ts'

/** The rights in words. A right is null if everyone has it, if another line includes it, or if its words depend on features. */
const WORDS: Readonly<Record<RoleRight, string | null>> = {
  'account.read': 'See the overview, settings of the account and its people',
  'products.read': 'See products, prices, discounts and reviews',
  'sales.read': 'See orders, subscriptions and invoices',
  'customers.read': 'See customers and what they sent',
  'content.read': null,
  'automation.read': 'See tasks and their runs',
  'company.read': null,
  'programs.run': 'Run programs, connect agents by signing in',
  'self.read': null,
  'self.write': 'End own tokens and connections, leave the account',
  'account.spend': 'Ask questions, spend the account’s credits',
  'self.share': 'Share saved views',
  'programs.read': 'See who ran and planned what, and how it ended',
  'programs.read_any': 'Read everybody’s programs, and stop them',
  'programs.write': 'Decide on plans, as far as their own rights reach',
  'customers.write': 'Change customers and tags, send e-mails',
  'sales.write': 'Change subscriptions, make invoices and checkouts',
  'sales.refund': 'Refund up to the limit',
  'sales.refund_any': 'Refund any amount',
  'products.write': 'Change products, prices, discounts and reviews',
  'content.write': null,
  'automation.write': 'Change tasks and event sources',
  'company.write': null,
  'self.token': 'Make API tokens',
  'developers.read': 'See webhooks, events and requests',
  'developers.write': 'Change webhooks',
  'wallet.read': null,
  'wallet.write': null,
  'account.write': 'Change settings of the account',
  'people.read': null,
  'people.write': 'Invite and remove people, give them roles',
  'people.access': 'See and end everybody’s tokens and connections',
  'settings.read': null,
  'settings.write': 'Set up payments, models, e-mail and limits',
  'customers.erase': 'Delete what buyers sent by forms',
  'content.visit_any': null,
  'log.read': 'See the log of who did what',
  'log.write': null,
  'ownership.read': null,
  'ownership.write': 'Export or delete the whole account',
}

export const MEMBERS = '/settings/members'

type Invitation = Shown<'invitation'>

interface RefusedMembersForm {
  problems: Problem[]
  status: number
  typed?: URLSearchParams
}

export async function membersPage(
  visit: DashboardContext,
  refused: RefusedMembersForm | null = null,
): Promise<Response> {
  const mayInvite = may(visit, 'people.write')
  const people = await visit.read(accountMembers)
  const open = mayInvite ? (await answeredRows(visit.call('GET /invitations'))).rows : []
  const limits = mayInvite ? await limitsOf(visit) : null
  const problems = refused?.problems ?? []
  const content = html`<div class="profile">${summaryOf(problems)}
${dataTable({ caption: 'People in this account', columns: memberColumns(visit), rows: people })}
${limits ? html`<h2 class="members-heading">Invitations</h2>${invitations(visit, open)}${inviteForm(visit, limits, problems, refused?.typed)}${refundLimitsCard(visit, limits)}` : ''}
${roleTable(
  visit,
  people.some(({ role }) => role === 'member'),
)}</div>`
  const lead = 'The people in this account and their roles.'
  return settingsPage(visit, { title: 'Members', lead, status: refused?.status }, content)
}

/** Returns whether the person may manage a member. The member's role must not exceed the person's own. */
function looksAfter(visit: DashboardContext, { role }: { role: Role }): boolean {
  return may(visit, 'people.write') && cover([visit.membership.role], role)
}

function memberColumns(visit: DashboardContext): Column<ShownMember>[] {
  return [
    {
      words: 'Person',
      cell: ({ name, email, email_verified, self }) =>
        html`${name}${self ? html` <span class="badge good">You</span>` : ''}<span class="person-address">${email}${email_verified ? '' : html` <span class="badge wait">Not confirmed</span>`}</span>`,
    },
    {
      words: 'Role',
      cell: (member) => (looksAfter(visit, member) ? roleForm(visit, member) : valueTitle(member.role)),
    },
    { words: 'Joined', cell: ({ joined_at }) => moment(visit, joined_at) },
    {
      words: 'Remove',
      acts: true,
      cell: (member) =>
        member.self || looksAfter(visit, member)
          ? html`<a class="button danger" href="${visit.base}${MEMBERS}/${member.id}/remove">${member.self ? 'Leave' : 'Remove'}<span class="unseen"> ${member.self ? 'the account' : member.name}</span></a>`
          : '',
    },
  ]
}

function roleForm(visit: DashboardContext, { id, name, role }: ShownMember): Page {
  return html`<form class="at-once in-line" method="post" action="${visit.base}${MEMBERS}/${id}/role"><input type="hidden" name="csrf" value="${visit.csrf}">${roleChoice(visit, role, html`aria-label="Role of ${name}"`)}<button>Change<span class="unseen"> the role of ${name}</span></button></form>`
}

/** Renders the select of the roles that the person may grant. It includes the current role, even if it is no longer offered to others. */
function roleChoice({ membership }: DashboardContext, chosen: string, attributes: Page): Page {
  const offered = OFFERED_ROLES.filter((role) => cover([membership.role], role))
  const roles = chosen === 'member' ? [...offered, chosen] : offered
  return html`<select name="role" ${attributes}>${roles.map((role) => html`<option value="${role}"${role === chosen ? html` selected` : ''}>${valueTitle(role)}</option>`)}</select>`
}

function invitations(visit: DashboardContext, open: Invitation[]): Page {
  if (open.length === 0) return html`<p class="hint">There are no open invitations.</p>`
  const columns: Column<Invitation>[] = [
    { words: 'Address', cell: ({ email }) => email },
    { words: 'Role', cell: ({ role }) => valueTitle(role) },
    {
      words: 'Expires',
      cell: ({ expires_at, expired }) =>
        html`${moment(visit, expires_at)}${expired ? html` <span class="badge bad">Expired</span>` : ''}`,
    },
    {
      words: 'Actions',
      acts: true,
      cell: ({ id, email }) => html`<span class="row-buttons">
${buttonForm(visit, { path: `${MEMBERS}/invitations/${id}/resend`, words: 'Send again', about: `to ${email}` })}
${buttonForm(visit, { path: `${MEMBERS}/invitations/${id}/revoke`, words: 'Revoke', look: 'danger', about: `that of ${email}` })}</span>`,
    },
  ]
  return dataTable({ caption: 'Open invitations', columns, rows: open })
}

function inviteForm(
  visit: DashboardContext,
  limits: Limits,
  problems: readonly Problem[],
  typed = new URLSearchParams(),
): Page {
  return html`<form class="card form" method="post" novalidate action="${visit.base}${MEMBERS}"><h2>Invite a person</h2>
<input type="hidden" name="csrf" value="${visit.csrf}">
${field({
  ...{ id: 'field-email', label: 'E-mail address', problems, hint: 'They get a link that is valid for 7 days.' },
  input: (described) =>
    html`<input id="field-email" name="email" type="email" maxlength="${MAX_EMAIL}" autocomplete="off" value="${typed.get('email') ?? ''}"${described}>`,
})}
${field({
  ...{ id: 'field-role', label: 'Role', problems },
  hint: 'The table below says what each role may do.',
  input: (described) => roleChoice(visit, typed.get('role') ?? 'viewer', html`id="field-role"${described}`),
})}
${limitOfInvitation(limits, problems, typed)}
<div class="form-buttons"><button class="primary">Send invitation</button></div></form>`
}

export function removePage(visit: DashboardContext, { id, name, email, self }: ShownMember): Promise<Response> {
  const title = self ? `Leave ${visit.account.name}` : `Remove ${name}`
  const words = self
    ? 'You will lose access to this account, and the API tokens you created here will stop working.'
    : html`<strong>${name}</strong> (${email}) will lose access to this account, and the API tokens they created here will stop working. Their past work is kept.`
  const content = html`<form class="card form" method="post" action="${visit.base}${MEMBERS}/${id}/remove"><input type="hidden" name="csrf" value="${visit.csrf}">
<p>${words}</p><div class="form-buttons after-table"><button class="danger-solid">${self ? 'Leave the account' : 'Remove'}</button><a class="button quiet" href="${visit.base}${MEMBERS}">Cancel</a></div></form>`
  const crumbs = [{ words: 'Members', address: visit.base + MEMBERS }]
  return framed(visit, { title, crumbs }, content)
}

/** Shows the rights of each role, from the same table that access checks use. */
function roleTable({ parts }: DashboardContext, withMember: boolean): Page {
  const roles = withMember ? ROLES : OFFERED_ROLES
  const content = parts.features.flatMap((feature) => feature.content ?? [])
  const own = {
    ...WORDS,
    'content.read': `See ${listed(['content', 'files', ...content])}`,
    'content.write': `Change ${listed(['content', 'files', 'forms', ...content])}`,
  }
  const rows = keysOf(WORDS)
    .flatMap((right) =>
      [own, ...parts.features.map(({ permissions = {} }) => permissions)].map((all) => ({
        right,
        words: all[right] ?? '',
      })),
    )
    .filter(({ words }) => words !== '')
  const columns: Column<(typeof rows)[number]>[] = [
    { words: 'Right', cell: ({ words }) => words },
    ...roles.map((role) => ({
      words: valueTitle(role),
      cell: ({ right }: (typeof rows)[number]) =>
        include([role], right)
          ? html`<span class="role-may">Yes</span>`
          : html`<span class="soft role-may-not">–<span class="unseen">No</span></span>`,
    })),
  ]
  return html`<h2 class="members-heading" id="roles">What each role may do</h2><div class="role-table">${dataTable({ caption: 'What each role may do', columns, rows })}</div>`
}
