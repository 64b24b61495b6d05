import type { Happening } from './happening.ts'

const STUDIO = { line1: '14 Foundry Lane', city: 'Portland', state: 'ME', postal_code: '04101', country: 'USA' }
const NORA = { legal_first_name: 'Nora', legal_last_name: 'Kestrel', address: STUDIO }
const IVO = { legal_first_name: 'Ivo', legal_last_name: 'Marsh', address: STUDIO }

const company = (names: string[], description: string, naics_code: string) => ({
  ...{ entity_type: 'LLC', state: 'ME', naics_code, description },
  name_options: names.map((name) => ({ name })),
  members: [
    { ...NORA, ownership_percent: 60 },
    { ...IVO, ownership_percent: 40 },
  ],
  responsible_party: NORA,
  mailing_address: { ...STUDIO, phone: '+1 207 555 0114' },
})

/**
 * The shop became a company, and its owners want a second one for their bindery courses, which they have not paid yet. The site was
 * ordered just now, and waits for a builder. Payments by x402 stay off, because only an owner can name a wallet; the chain for
 * tests is chosen already.
 */
export const COMPANY: readonly Happening[] = [
  {
    ...{ daysAgo: 160, kind: 'call', path: '/formations', as: 'first company' },
    body: company(['Kestrel Paper School', 'Kestrel Paper'], 'Courses, e-books and a studio for members.', '611610'),
  },
  { daysAgo: 160, kind: 'pay_formation', of: 'first company' },
  { daysAgo: 159, kind: 'call', path: '/formations/@first company/submit' },
  {
    ...{ daysAgo: 14, kind: 'call', method: 'PATCH', path: '/x402_configuration' },
    body: { x402_chain: 'base-sepolia' },
  },
  {
    ...{ daysAgo: 0.25, kind: 'call', path: '/formations' },
    body: company(['Kestrel School of Binding', 'Kestrel Courses'], 'Courses in bookbinding and printing.', '611610'),
  },
  {
    ...{ daysAgo: 0.1, kind: 'call', path: '/sites' },
    body: {
      name: 'Kestrel Studio',
      subdomain: 'kestrel-studio',
      prompt:
        'A quiet site for our studio: the presses with a photo each, when members can come, the next printing days, and how to find us at 14 Foundry Lane.',
    },
  },
]
