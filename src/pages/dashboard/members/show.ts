import { html } from 'hono/html'
import type { Role } from '../../../contract/declarations/caller.ts'
import { cover, OFFERED_ROLES } from '../../../contract/declarations/role-rights.ts'
import { MAX_EMAIL } from '../../../contract/values/email.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, field, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { rowsOf } from '../kit/ask.ts'
import { framed } from '../kit/frame.ts'
import { buttonForm } from '../kit/page-rights.ts'
import { moment } from '../kit/value.ts'
import { may, type Visit } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { settingsPage } from '../settings/tabs.ts'
import { type Limits, limitOfInvitation, limitsOf, refundLimitsCard } from './refund-limits.ts'
import { roleTable } from './role-table.ts'

/** Where these pages are, below the account. */
export const MEMBERS = '/settings/members'

/** A person of the account. */
export type Member = Shown<'member'>

type Invitation = Shown<'invitation'>

interface Refused {
  problems: Problem[]
  status: number
  typed?: URLSearchParams
}

/** People with their roles, and invitations for those who may make them. */
export async function membersPage(visit: Visit, refused: Refused | null = null): Promise<Response> {
  const mayInvite = may(visit, 'people.write')
  const { rows: people } = await rowsOf(visit.ask('GET /members'))
  const open = mayInvite ? (await rowsOf(visit.ask('GET /invitations'))).rows : []
  const limits = mayInvite ? await limitsOf(visit) : null
  const problems = refused?.problems ?? []
  const content = html`<div class="profile">${summaryOf(problems)}
${dataTable({ caption: 'People in this account', columns: memberColumns(visit), rows: people })}
${limits ? html`<h2 class="members-heading">Invitations</h2>${invitations(visit, open)}${inviteForm(visit, limits, problems, refused?.typed)}${refundLimitsCard(visit, limits)}` : ''}
${roleTable(people.some(({ role }) => role === 'member'))}</div>`
  const lead = 'The people in this account and their roles.'
  return settingsPage(visit, { title: 'Members', lead }, content, refused?.status ?? 200)
}

/** Owners and admins look after those whose roles do no more than their own. */
function looksAfter(visit: Visit, { role }: { role: Role }): boolean {
  return may(visit, 'people.write') && cover([visit.membership.role], role)
}

function memberColumns(visit: Visit): Column<Member>[] {
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

function roleForm(visit: Visit, { id, name, role }: Member): Page {
  return html`<form class="at-once in-line" method="post" action="${visit.base}${MEMBERS}/${id}/role"><input type="hidden" name="csrf" value="${visit.csrf}">${roleChoice(visit, role, html`aria-label="Role of ${name}"`)}<button>Change<span class="unseen"> the role of ${name}</span></button></form>`
}

/** The roles that the person may give; whoever has one that is no longer offered keeps it. */
function roleChoice({ membership }: Visit, chosen: string, attributes: Page): Page {
  const offered = OFFERED_ROLES.filter((role) => cover([membership.role], role))
  const roles = chosen === 'member' ? [...offered, chosen] : offered
  return html`<select name="role" ${attributes}>${roles.map((role) => html`<option value="${role}"${role === chosen ? html` selected` : ''}>${valueTitle(role)}</option>`)}</select>`
}

function invitations(visit: Visit, open: Invitation[]): Page {
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

function inviteForm(visit: Visit, limits: Limits, problems: readonly Problem[], typed = new URLSearchParams()): Page {
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

/** Asks before somebody is taken out of the account. */
export function removePage(visit: Visit, { id, name, email, self }: Member): Promise<Response> {
  const title = self ? `Leave ${visit.account.name}` : `Remove ${name}`
  const words = self
    ? 'You will lose access to this account, and the API tokens you created here will stop working.'
    : html`<strong>${name}</strong> (${email}) will lose access to this account, and the API tokens they created here will stop working. Their past work is kept.`
  const content = html`<form class="card form" method="post" action="${visit.base}${MEMBERS}/${id}/remove"><input type="hidden" name="csrf" value="${visit.csrf}">
<p>${words}</p><div class="form-buttons after-table"><button class="danger-solid">${self ? 'Leave the account' : 'Remove'}</button><a class="button quiet" href="${visit.base}${MEMBERS}">Cancel</a></div></form>`
  const crumbs = [{ words: 'Members', address: visit.base + MEMBERS }]
  return framed(visit, { title, crumbs }, content)
}
