import { html } from 'hono/html'
import { ROLES } from '../../../contract/declarations/caller.ts'
import { include, OFFERED_ROLES, type RoleRight } from '../../../contract/declarations/role-rights.ts'
import { keysOf } from '../../../contract/values/keys.ts'
import { type Column, dataTable, type Page } from '../../parts/markup.ts'
import { valueTitle } from '../kit/words.ts'

/** Every right in the words of people; null for what everybody may in any case, or what another line says as well. */
const WORDS: Readonly<Record<RoleRight, string | null>> = {
  'account.read': 'See the overview, settings of the account and its people',
  'products.read': 'See products, prices, discounts and reviews',
  'sales.read': 'See orders, subscriptions and invoices',
  'customers.read': 'See customers and what they sent',
  'content.read': 'See content, files and sites',
  'social.read': 'See social posts, comments and figures',
  'automation.read': 'See tasks and their runs',
  'company.read': 'See company formations',
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
  'content.write': 'Change content, files, forms and sites',
  'social.write': 'Publish on social networks, answer comments',
  'automation.write': 'Change tasks and event sources',
  'company.write': 'Form a company',
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

/** What each role may, from the table that the service itself goes by. `member` is shown where somebody still has it. */
export function roleTable(withMember: boolean): Page {
  const roles = withMember ? ROLES : OFFERED_ROLES
  const rows = keysOf(WORDS)
    .flatMap((right) => ({ right, words: WORDS[right] ?? '' }))
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
