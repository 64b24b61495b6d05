import { z } from 'zod'
import { brandingField } from '../../../contract/declarations/branding.ts'
import { domainName } from '../../../contract/declarations/domain-name.ts'
import { headerValue } from '../../../contract/declarations/header-value.ts'
import {
  currency,
  email,
  flag,
  integer,
  longText,
  servedAddress,
  structure,
  text,
  timeZone,
} from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'
import { country, vatId } from '../../../contract/declarations/place.ts'
import { MAX_RATES, type TaxRate, taxRates } from '../../../contract/declarations/tax-rate.ts'

const PLAN_LIFETIME = { min: 1, max: 30 * 24, unit: 'hours', example: 72 }
/** Three days, because a weekend may pass before somebody decides on a plan. */
export const FIRST_PLAN_LIFETIME_HOURS = 72

const TAX_RATES =
  'Tax (VAT, GST, sales tax) that the shop charges, by the buyer’s country; replaced as a whole. country; region: of the US or CA, null for all; percent: up to 4 decimals; name: like VAT; inclusive: whether prices include it, the same for all rates of a country; tax_code: of products, null for all others. The most exact rates apply, and those of the same place are added up. Once there are rates, buyers must give their country. Which rates are due is up to you'
const EXAMPLE_TAX_RATES: TaxRate[] = [
  { country: 'DE', region: null, percent: 19, name: 'VAT', inclusive: true, tax_code: null },
]

const domainRecords = z.array(z.object({ type: z.enum(['TXT', 'CNAME']), name: z.string(), value: z.string() }))
export const FIRST_CREDITS = 1000

export const Account = noun('account', {
  prefix: 'acct',
  group: 'Account',
  area: 'account',
  description: 'The shop that the API token belongs to.',
  gist: 'shop settings',
  events: ['updated'],
  notInEvents: ['storefront_domain_records'],
  example: {
    tax_rates: [],
    ...{ storefront_domain: null, storefront_domain_verified: false, storefront_domain_records: [] },
  },
  hidden: {
    /** Set once the domain is verified, and unique across accounts and all other rows with domains. */
    verified_storefront_domain: text('The verified domain of the storefront').nullable(),
    storefront_domain_checks: integer('How often its domain began to be looked up').default(0),
    credits_month: text('Month of its last monthly credits').nullable(),
    /** True from the first charge with the service's payment keys until the account connects its own provider. */
    charges_by_service: flag('Whether it keeps the payment keys of the service').default(false),
    refund_limits: text('JSON: what support may refund on one order, by currency').default('{}'),
  },
  fields: {
    /** The name is also the sender's name in e-mails. */
    name: headerValue(text('Name of the shop', { max: 100, example: 'Ada’s Books' })).required(),
    subdomain: text('Name of the shop in URLs; unique across all accounts', {
      min: 3,
      max: 63,
      pattern: /^[a-z0-9](-?[a-z0-9])*$/,
      says: 'must be lower-case letters and digits, separated by single hyphens',
      example: 'adas-books',
    }).required(),
    storefront_url: servedAddress(
      'URL of the storefront: at its own domain once that is verified',
      'https://shop.example/s/adas-books',
    ),
    storefront_domain: domainName(
      'Your own domain for the storefront and the buyer’s page, unique across all accounts. Giving it again looks it up at once',
      'shop.example.com',
    ).nullable('none'),
    storefront_domain_verified: flag(
      'Whether the storefront is served at its domain: the DNS records were there when they were last looked up',
    ).derived(),
    storefront_domain_records: structure<z.infer<typeof domainRecords>[number][]>(
      'array',
      domainRecords,
      'DNS records that the domain must have, and keep. CNAME leads it to this service; where the domain cannot have one, as example.com itself, an ALIAS or A and AAAA records do',
      [
        { type: 'TXT', name: '_shopwright.shop.example.com', value: 'shopwright-shop=3n8p' },
        { type: 'CNAME', name: 'shop.example.com', value: 'shop.example' },
      ],
    ).derived(),
    support_email: email('E-mail address of the shop for buyers', 'help@example.com').nullable('none'),
    default_currency: currency(
      'Default currency of new prices, and currency of total_spend; existing prices keep theirs',
    ).default('usd'),
    timezone: timeZone('IANA time zone of the shop’s days and months').default('UTC'),
    description: longText('Short description of the shop', 500).nullable('none'),
    country: country(
      'Country of the shop, for tax: buyers of other countries with a VAT id are exempt (reverse charge)',
    ).nullable('not given: no buyer is exempt'),
    vat_id: vatId('VAT or tax id of the shop, shown on receipts and invoices').nullable('none'),
    tax_rates: structure<TaxRate[]>('array', taxRates, TAX_RATES, EXAMPLE_TAX_RATES, { max: MAX_RATES }).default([]),
    branding: brandingField(),
    plan_lifetime_hours: integer('Time in which a new plan can be applied', PLAN_LIFETIME).default(
      FIRST_PLAN_LIFETIME_HOURS,
    ),
    failed_run_emails: flag(
      'Whether the author of a task is e-mailed, at most once a day, when its runs fail; tasks with delivery_methods always send theirs',
      true,
    ).default(true),
    buyers_may_pause: flag(
      'Whether buyers may pause their subscriptions on their own page, which lets them cancel in any case',
      false,
    ).default(false),
    test: flag(
      'Whether it is a test account: its clock can be moved forward, and its payments are never real',
      false,
    ).readOnly(),
    credit_balance: integer('Balance for operations that cost credits', {
      min: 0,
      unit: 'credits',
      example: FIRST_CREDITS,
    }).readOnly(),
  },
})

export type AccountRow = Row<typeof Account>
