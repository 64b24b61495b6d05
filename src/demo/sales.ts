/** Test cards of the buyers; nobody pays for real in the demo shop. */
const GOOD = '4242424242424242'
const FAILS_LATER = '4000000000000341'
const DECLINED = '4000000000000002'

/** One thing that happens between the shop and a buyer. `as` names what later things refer to. */
export type Sale = { daysAgo: number } & (
  | ({ kind: 'buy'; email: string; name: string; items: [product: string, price: string, quantity?: number][] } & {
      card?: string
      code?: string
      as?: string
    })
  | { kind: 'refund'; of: string; amount?: number; reason: string }
  | { kind: 'cancel' | 'pause' | 'resume'; of: string; body?: object }
  | {
      kind: 'invoice'
      email: string
      name: string
      item: [product: string, price: string]
      dueInDays: number
      as?: string
    }
  | { kind: 'pay_invoice' | 'void_invoice'; of: string }
)

const mara = { email: 'mara.lind@example.com', name: 'Mara Lind', card: GOOD }
const jonas = { email: 'jonas.weber@example.com', name: 'Jonas Weber', card: GOOD }
const ines = { email: 'ines.costa@example.com', name: 'Inês Costa', card: GOOD }
const tom = { email: 'tom.okafor@example.com', name: 'Tom Okafor', card: GOOD }
const yuki = { email: 'yuki.sato@example.com', name: 'Yuki Sato', card: GOOD }
const priya = { email: 'priya.nair@example.com', name: 'Priya Nair', card: GOOD }

const GUIDE: [string, string] = ['Field Guide to Paper', 'Single']
const LICENSE: [string, string] = ['Field Guide to Paper', 'Class license']
const SEAT: [string, string] = ['Printing Day at the Press', 'Seat']
const COURSE: [string, string] = ['Bookbinding in a Weekend', 'Course']
const MEMBERSHIP: [string, string] = ['Studio Membership', 'Monthly']

/** Sales in states that need more than a purchase. Ordinary purchases come from `Trade`. */
export const SALES: Sale[] = [
  { daysAgo: 133, kind: 'buy', ...yuki, items: [[...GUIDE, 12]] },
  { daysAgo: 127, kind: 'buy', ...jonas, items: [MEMBERSHIP], as: 'canceled' },
  { daysAgo: 125, kind: 'cancel', of: 'canceled', body: { immediately: true, reason: 'Moved away' } },
  { daysAgo: 47, kind: 'buy', ...tom, items: [MEMBERSHIP], card: FAILS_LATER, as: 'unpaid' },
  { daysAgo: 45, kind: 'invoice', ...yuki, item: SEAT, dueInDays: 20 },
  { daysAgo: 33, kind: 'buy', ...yuki, items: [MEMBERSHIP], card: FAILS_LATER, as: 'past due' },
  { daysAgo: 30, kind: 'invoice', ...priya, item: COURSE, dueInDays: 30, as: 'void invoice' },
  { daysAgo: 29, kind: 'void_invoice', of: 'void invoice' },
  { daysAgo: 26, kind: 'invoice', ...yuki, item: LICENSE, dueInDays: 14, as: 'paid invoice' },
  { daysAgo: 22, kind: 'pay_invoice', of: 'paid invoice' },
  { daysAgo: 19, kind: 'buy', ...priya, items: [[...SEAT, 2]], card: DECLINED },
  { daysAgo: 19, kind: 'buy', ...priya, items: [[...SEAT, 2]], as: 'one seat less' },
  { daysAgo: 15, kind: 'refund', of: 'one seat less', amount: 6500, reason: 'One of the two guests was ill.' },
  { daysAgo: 12, kind: 'buy', ...ines, items: [SEAT], code: 'WELCOME10' },
  { daysAgo: 9, kind: 'buy', ...mara, items: [['Pay What You Like Zine', 'Zine'], GUIDE] },
  { daysAgo: 6, kind: 'buy', ...priya, items: [['Grid Templates', 'Free']] },
  { daysAgo: 5, kind: 'buy', ...priya, items: [['Pattern Club', 'Monthly']], as: 'trialing' },
  { daysAgo: 3, kind: 'invoice', ...jonas, item: SEAT, dueInDays: 14 },
  { daysAgo: 1, kind: 'buy', ...ines, items: [COURSE, SEAT] },
]
