/** What the demo shop sells and who buys there. */
export const SHOP = {
  name: 'Kestrel Paper School',
  support_email: 'hello@kestrel-paper.example',
  timezone: 'America/New_York',
  description: 'Courses, guides, patterns and days at the press for people who make books and prints.',
}

const download = (amount: number) => ({ name: 'PDF', amount, currency: 'usd' })

export const PRODUCTS = [
  {
    name: 'Field Guide to Paper',
    status: 'active',
    description: 'An e-book of 160 pages: fibers, grain, sizing, and which paper for which ink.',
    prices: [
      { name: 'Single', amount: 1800, currency: 'usd', benefits: ['160 pages', 'Updates for a year'] },
      { name: 'Class license', amount: 4800, currency: 'usd', discounted_from_amount: 5400, benefits: ['30 readers'] },
    ],
    reviews: [
      { rating: 5, customer_name: 'Mara', content: 'Now I know why my ink bled.' },
      { rating: 4, customer_name: 'Jonas', content: 'Would love more on Japanese papers.' },
    ],
  },
  {
    name: 'Printing Day at the Press',
    status: 'active',
    description: 'Five hours at the hand press of our studio: you print the kestrel in two colors.',
    prices: [{ name: 'Seat', amount: 6500, currency: 'usd', quantity_available: 45 }],
    reviews: [{ rating: 5, customer_name: 'Ines', content: 'Inky hands and a print that I am proud of.' }],
  },
  {
    name: 'Bookbinding in a Weekend',
    status: 'active',
    description: 'A video course: coptic stitch, case binding, a slipcase.',
    prices: [{ name: 'Course', amount: 7900, currency: 'usd', benefits: ['4 hours of video', 'Templates'] }],
    reviews: [{ rating: 5, customer_name: 'Tom', content: 'My first book holds together.' }],
  },
  {
    name: 'Pattern Club',
    status: 'active',
    description: 'New patterns to download and print every month, and a lounge of people who use them.',
    prices: [
      {
        name: 'Monthly',
        amount: 2400,
        currency: 'usd',
        billing_type: 'subscription',
        recurring_interval: 'month',
        trial_period_days: 14,
      },
      { name: 'Yearly', amount: 24_000, currency: 'usd', billing_type: 'subscription', recurring_interval: 'year' },
    ],
    reviews: [],
  },
  {
    name: 'Studio Membership',
    status: 'active',
    description: 'The presses and the binding table, every weekend.',
    prices: [
      {
        name: 'Monthly',
        amount: 3500,
        currency: 'usd',
        billing_type: 'subscription',
        recurring_interval: 'month',
        setup_fee_amount: 1000,
      },
    ],
    reviews: [{ rating: 5, customer_name: 'Mara', content: 'I come for the press and stay for the people.' }],
  },
  {
    name: 'Grid Templates',
    status: 'active',
    description: 'Twelve grids to print at home.',
    prices: [{ name: 'Free', amount: 0, currency: 'usd' }],
    reviews: [],
  },
  {
    name: 'Pay What You Like Zine',
    status: 'active',
    prices: [{ name: 'Zine', amount_type: 'custom', currency: 'usd', minimum_amount: 100, preset_amount: 500 }],
    reviews: [],
  },
  {
    name: 'Calendar 2027',
    status: 'draft',
    description: 'Twelve birds, twelve months.',
    prices: [{ name: 'PDF to print', amount: 900, currency: 'usd' }],
    reviews: [],
  },
  { name: 'Calendar 2026', status: 'archived', prices: [download(900)], reviews: [] },
]

export const CUSTOMERS = [
  { email: 'mara.lind@example.com', name: 'Mara Lind', tags: ['VIP', 'Newsletter'] },
  { email: 'jonas.weber@example.com', name: 'Jonas Weber', tags: ['Newsletter'] },
  { email: 'ines.costa@example.com', name: 'Inês Costa', tags: ['VIP'] },
  { email: 'tom.okafor@example.com', name: 'Tom Okafor' },
  { email: 'yuki.sato@example.com', name: 'Yuki Sato', tags: ['Wholesale'] },
]

export const DISCOUNTS = [
  { code: 'WELCOME10', discount_type: 'percent_off', percent_off: 10 },
  {
    code: 'CLUB5',
    discount_type: 'amount_off',
    amount_off: 500,
    currency: 'usd',
    duration: 'repeating',
    duration_in_months: 3,
  },
]

export const CATEGORIES = [
  { name: 'Guides', slug: 'guides', description: 'How things are made.' },
  { name: 'Studio', slug: 'studio', description: 'News from the workshop.' },
]

export const POSTS = [
  {
    title: 'How to choose a paper',
    slug: 'how-to-choose-a-paper',
    content:
      '<p>Weight is not everything: grain, sizing and surface decide how ink behaves.</p><h2>Grain</h2><p>Tear a strip in both directions. It tears straight along the grain, and that is the way to fold it.</p><h2>Sizing</h2><p>Write one line and wait. Ink that spreads like a root has found a paper with little size: good for prints, bad for pens.</p>',
    status: 'published' as const,
    daysAgo: 143,
    category: 'guides',
  },
  {
    title: 'A new press arrives',
    slug: 'a-new-press-arrives',
    content:
      '<p>It weighs 900 kilograms and came through the window. Four neighbours pulled, one of them sang.</p><p>Members can book it from Saturday. Bring old clothes: it has a mind of its own about ink.</p>',
    status: 'published' as const,
    daysAgo: 58,
    category: 'studio',
  },
  {
    title: 'Stitches compared',
    slug: 'stitches-compared',
    content: '<p>Coptic, kettle, long stitch.</p>',
    status: 'draft' as const,
    daysAgo: 2,
    category: 'guides',
  },
]
