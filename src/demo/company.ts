import { call, type Happening } from './happening.ts'

const CARD = '4242424242424242'
const STUDIO = { line1: '14 Foundry Lane', city: 'Portland', state: 'ME', postal_code: '04101', country: 'USA' }
const NORA = { legal_first_name: 'Nora', legal_last_name: 'Kestrel', address: STUDIO }
const IVO = { legal_first_name: 'Ivo', legal_last_name: 'Marsh', address: STUDIO }

const company = (names: string[], description: string) => ({
  ...{ entity_type: 'LLC', state: 'ME', naics_code: '611610', description },
  name_options: names.map((name) => ({ name })),
  members: [
    { ...NORA, ownership_percent: 60 },
    { ...IVO, ownership_percent: 40 },
  ],
  responsible_party: NORA,
  mailing_address: { ...STUDIO, phone: '+1 207 555 0114' },
})

/** Payments by x402 stay off, because only an owner can set the wallet, but the test blockchain is already chosen. */
export const COMPANY: readonly Happening[] = [
  call(
    160,
    '/formations',
    company(['Kestrel Paper School', 'Kestrel Paper'], 'Courses, e-books and a studio for members.'),
    { as: 'first company' },
  ),
  { daysAgo: 160, act: (shop) => shop.pay('@first company.checkout', { card: CARD, name: 'Nora Kestrel' }) },
  call(159, '/formations/@first company/submit'),
  call(14, '/x402_configuration', { x402_chain: 'base-sepolia' }, { method: 'PATCH' }),
  call(
    0.25,
    '/formations',
    company(['Kestrel School of Binding', 'Kestrel Courses'], 'Courses in bookbinding and printing.'),
  ),
]
