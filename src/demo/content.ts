export const LEGAL: Readonly<Record<string, string>> = {
  'terms-of-service': `<p>These terms hold for everything that you buy from Kestrel Paper School, 14 Foundry Lane, Portland, Maine.</p>
<h2>Orders</h2>
<p>Your order is binding once you have paid. When a printing day has to be moved, we write to you two days before and offer another date or your money back.</p>
<h2>Delivery</h2>
<p>Nothing comes by post. What you buy opens at the link of your receipt, at once; printing days and the studio are in Portland.</p>
<h2>Subscriptions</h2>
<p>The Pattern Club and the Studio Membership renew by themselves until you cancel. You can cancel at any time and keep what you have paid for until the end of the period.</p>
<h2>Courses and downloads</h2>
<p>They are for you alone. Print as many copies for yourself as you like, and please do not pass the files on.</p>`,
  'privacy-policy': `<p>We keep as little about you as we can.</p>
<h2>What we keep</h2>
<ul><li>Your name, your address and what you have ordered, to send you your order and because the tax office wants us to.</li>
<li>What you write in our forms, to answer you.</li>
<li>Your e-mail address for the letter, if you have asked for it and confirmed it.</li></ul>
<h2>What we do not do</h2>
<p>We sell nothing of it, and we do not follow you around the web.</p>
<h2>Your rights</h2>
<p>Write to <a href="mailto:hello@kestrel-paper.example">hello@kestrel-paper.example</a>, and we tell you what we know about you, or delete it.</p>`,
  'refund-policy': `<p>Tell us within 30 days what you do not like, and we refund the price of a guide or a download.</p>
<h2>Printing days</h2>
<p>Give your seat back until two days before, and we refund all of it. After that, somebody else may come in your place.</p>
<h2>Courses</h2>
<p>Courses can be returned within 14 days, also when you have watched them.</p>
<h2>Subscriptions</h2>
<p>A month that has begun is paid. The next one is yours to cancel.</p>`,
}

export const SHOP = {
  name: 'Kestrel Paper School',
  support_email: 'hello@kestrel-paper.example',
  timezone: 'America/New_York',
  description: 'Courses, guides, patterns and days at the press for people who make books and prints.',
}

const price = (name: string, amount: number, more: object = {}) => ({ name, amount, currency: 'usd', ...more })

const MONTHLY = { billing_type: 'subscription', recurring_interval: 'month' }
const YEARLY = { billing_type: 'subscription', recurring_interval: 'year' }

/** A product is active unless it has another `status`. */
export const PRODUCTS = [
  {
    name: 'Field Guide to Paper',
    description: 'An e-book of 160 pages: fibers, grain, sizing, and which paper for which ink.',
    prices: [
      price('Single', 1800, { benefits: ['160 pages', 'Updates for a year'] }),
      price('Class license', 4800, { discounted_from_amount: 5400, benefits: ['30 readers'] }),
    ],
    reviews: [
      { rating: 5, customer_name: 'Mara', content: 'Now I know why my ink bled.' },
      { rating: 4, customer_name: 'Jonas', content: 'Would love more on Japanese papers.' },
    ],
  },
  {
    name: 'Printing Day at the Press',
    description: 'Five hours at the hand press of our studio: you print the kestrel in two colors.',
    prices: [price('Seat', 6500, { quantity_available: 45 })],
    reviews: [{ rating: 5, customer_name: 'Ines', content: 'Inky hands and a print that I am proud of.' }],
  },
  {
    name: 'Bookbinding in a Weekend',
    description: 'A video course: coptic stitch, case binding, a slipcase.',
    prices: [price('Course', 7900, { benefits: ['4 hours of video', 'Templates'] })],
    reviews: [{ rating: 5, customer_name: 'Tom', content: 'My first book holds together.' }],
  },
  {
    name: 'Pattern Club',
    description: 'New patterns to download and print every month, and a lounge of people who use them.',
    prices: [price('Monthly', 2400, { ...MONTHLY, trial_period_days: 14 }), price('Yearly', 24_000, YEARLY)],
  },
  {
    name: 'Studio Membership',
    description: 'The presses and the binding table, every weekend.',
    prices: [price('Monthly', 3500, { ...MONTHLY, setup_fee_amount: 1000 })],
    reviews: [{ rating: 5, customer_name: 'Mara', content: 'I come for the press and stay for the people.' }],
  },
  { name: 'Grid Templates', description: 'Twelve grids to print at home.', prices: [price('Free', 0)] },
  {
    name: 'Pay What You Like Zine',
    prices: [{ name: 'Zine', amount_type: 'custom', currency: 'usd', minimum_amount: 100, preset_amount: 500 }],
  },
  {
    name: 'Calendar 2027',
    status: 'draft',
    description: 'Twelve birds, twelve months.',
    prices: [price('PDF to print', 900)],
  },
  { name: 'Calendar 2026', status: 'archived', prices: [price('PDF', 900)] },
]

export const CUSTOMERS = {
  mara: { email: 'mara.lind@example.com', name: 'Mara Lind', tags: ['VIP', 'Newsletter'] },
  jonas: { email: 'jonas.weber@example.com', name: 'Jonas Weber', tags: ['Newsletter'] },
  ines: { email: 'ines.costa@example.com', name: 'Inês Costa', tags: ['VIP'] },
  tom: { email: 'tom.okafor@example.com', name: 'Tom Okafor' },
  yuki: { email: 'yuki.sato@example.com', name: 'Yuki Sato', tags: ['Wholesale'] },
}

export const DISCOUNTS = [
  { code: 'WELCOME10', discount_type: 'percent_off', percent_off: 10 },
  {
    ...{ code: 'CLUB5', discount_type: 'amount_off', amount_off: 500, currency: 'usd' },
    ...{ duration: 'repeating', duration_in_months: 3 },
  },
]

export const CATEGORIES = [
  { name: 'Guides', slug: 'guides', description: 'How things are made.' },
  { name: 'Studio', slug: 'studio', description: 'News from the workshop.' },
]

export const POSTS = [
  {
    title: 'How to choose a paper',
    content:
      '<p>Weight is not everything: grain, sizing and surface decide how ink behaves.</p><h2>Grain</h2><p>Tear a strip in both directions. It tears straight along the grain, and that is the way to fold it.</p><h2>Sizing</h2><p>Write one line and wait. Ink that spreads like a root has found a paper with little size: good for prints, bad for pens.</p>',
    status: 'published' as const,
    daysAgo: 143,
    category: 'guides',
  },
  {
    title: 'A new press arrives',
    content:
      '<p>It weighs 900 kilograms and came through the window. Four neighbours pulled, one of them sang.</p><p>Members can book it from Saturday. Bring old clothes: it has a mind of its own about ink.</p>',
    status: 'published' as const,
    daysAgo: 58,
    category: 'studio',
  },
  {
    title: 'Stitches compared',
    content: '<p>Coptic, kettle, long stitch.</p>',
    status: 'draft' as const,
    daysAgo: 2,
    category: 'guides',
  },
]
