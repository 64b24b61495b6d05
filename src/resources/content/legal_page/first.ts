import { newId } from '../../../contract/values/ids.ts'
import { LEGAL_KINDS } from './legal_page.ts'

const TITLES: Record<(typeof LEGAL_KINDS)[number], string> = {
  terms_of_service: 'Terms of service',
  privacy_policy: 'Privacy policy',
  refund_policy: 'Refund policy',
}

/** The legal pages of a new account: nothing is written in them, and nobody sees them. */
export function firstLegalPages(accountId: string, now: string) {
  return LEGAL_KINDS.map((kind, index) => ({
    account_id: accountId,
    id: newId('legal'),
    kind,
    slug: kind.replaceAll('_', '-'),
    title: TITLES[kind],
    content: '',
    published: 0,
    place: index + 1,
    created_at: now,
    updated_at: now,
  }))
}
