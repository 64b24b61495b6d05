import { z } from 'zod'
import {
  collection,
  currency,
  flag,
  integer,
  money,
  oneOf,
  reference,
  servedAddress,
  structure,
  text,
  texts,
  timestamp,
} from '../../../../contract/declarations/kinds.ts'
import { nestedPattern, nestedText } from '../../../../contract/declarations/nested-text.ts'
import { exampleId, noun, type Row } from '../../../../contract/declarations/noun.ts'
import { postalAddress, postalAddressWithPhone, US_STATES } from '../../../../contract/declarations/postal-address.ts'

const nameOption = z.object({
  name: nestedText(100),
  entity_type_ending: z.enum(['LLC', 'L.L.C.', 'Limited Liability Company']).default('LLC'),
})

const person = { legal_first_name: nestedText(100), legal_last_name: nestedText(100), address: postalAddress }
const tax_id = nestedPattern(/^\d{3}-?\d{2}-?\d{4}$|^\d{2}-?\d{7}$/, 'must be nine digits')
  .nullable()
  .optional()

const member = z.object({
  ...person,
  contact_full_name: nestedText(200).nullable().default(null),
  is_natural_person: z.boolean().default(true),
  ownership_percent: z
    .number()
    .gt(0, 'must be more than 0')
    .max(100, 'must be at most 100')
    .refine(hasTwoDecimals, 'must have at most two decimals'),
})

/** Whether a percentage has at most two decimals. Allows a tolerance, because 33.33 × 100 is not an integer in floating point. */
function hasTwoDecimals(percent: number): boolean {
  return Math.abs(percent * 100 - Math.round(percent * 100)) < 1e-6
}

const responsibleParty = z.object(person)

const EXAMPLE_ADDRESS = {
  line1: '30 N Gould St',
  line2: null,
  city: 'Sheridan',
  state: 'WY',
  postal_code: '82801',
  country: 'USA',
}
const EXAMPLE_PERSON = { legal_first_name: 'Ada', legal_last_name: 'Lovelace', address: EXAMPLE_ADDRESS }
const NOT_RETURNED = 'tax_id, nine digits, can be given and is never returned'

export const Formation = noun('formation', {
  prefix: 'fmtn',
  group: 'Formations',
  area: 'company',
  description: 'A company being formed: paid for by a checkout, then filed by an agent.',
  events: ['created', 'updated', 'paid', 'submitted', 'completed', 'failed'],
  notInEvents: ['checkout_url'],
  states: {
    awaiting_payment: ['retry_payment'],
    pending: ['submit'],
    submitted: ['submit'],
    completed: ['submit'],
    failed: ['submit', 'retry_payment'],
  },
  example: { status: 'awaiting_payment', payment_status: 'unpaid' },
  hidden: {
    /** `TaxNumbers` as JSON, encrypted with the service's key; null once the formation is filed. */
    sealed_tax_numbers: text('Tax numbers').nullable(),
    founder: text('The user who started it').nullable(),
    submissions: integer('How often it was submitted').default(0),
  },
  fields: {
    entity_type: oneOf(['LLC'], 'Kind of company').required().createOnly(),
    state: oneOf(US_STATES, 'US state in which it is formed').required().createOnly(),
    naics_code: text('NAICS code of its business', {
      max: 6,
      pattern: /^\d{6}$/,
      says: 'must be six digits',
      example: '541511',
    })
      .required()
      .createOnly(),
    description: text('Short description of its business', { max: 1000, example: 'Software for small shops.' })
      .required()
      .createOnly(),
    name_options: structure(
      'array',
      z.array(nameOption).min(1, "can't be blank").max(3),
      'Names in order of preference, 1 to 3; entity_type_ending: LLC by default',
      [{ name: 'Analytical Engines', entity_type_ending: 'LLC' as const }],
    )
      .required()
      .createOnly(),
    members: structure(
      'array',
      z.array(member).min(1, "can't be blank").max(20),
      `Owners, 1 to 20; their ownership_percent must total 100; ${NOT_RETURNED}`,
      [{ ...EXAMPLE_PERSON, contact_full_name: 'Ada Lovelace', is_natural_person: true, ownership_percent: 100 }],
      { written: z.array(member.extend({ tax_id })).min(1, "can't be blank").max(20) },
    )
      .required()
      .createOnly(),
    responsible_party: structure(
      'object',
      responsibleParty,
      `Contact for the tax authority; ${NOT_RETURNED}`,
      EXAMPLE_PERSON,
      { written: responsibleParty.extend({ tax_id }) },
    )
      .required()
      .createOnly(),
    mailing_address: structure('object', postalAddressWithPhone, 'Mailing address', {
      ...EXAMPLE_ADDRESS,
      phone: '+1 307 555 0100',
    })
      .required()
      .createOnly(),
    status: oneOf(
      ['awaiting_payment', 'pending', 'submitted', 'completed', 'failed'],
      'awaiting_payment: to be paid at checkout_url; pending: paid, not yet submitted to the filing agent; submitted: with the agent; completed: filed; failed: the agent could not file it, see provider_error',
    ).readOnly(),
    payment_status: oneOf(['unpaid', 'paid', 'refunded'], 'Payment status').readOnly(),
    amount: money('Price of the formation', { example: 29_900 }).readOnly(),
    currency: currency('Currency of the amount').readOnly(),
    checkout: reference('checkout', 'Latest checkout for its payment', 'co_…').nullable('none').readOnly().expandable(),
    checkout_url: servedAddress('URL of the payment page', `https://shop.example/checkout/${exampleId('co')}`).nullable(
      'paid, or the checkout is no longer open',
    ),
    paid_inline: flag('Whether a saved card was charged automatically; currently always false')
      .default(false)
      .readOnly(),
    ein: text('Employer identification number', { max: 10, example: '00-1234567' })
      .nullable('not completed')
      .readOnly(),
    formation_filing_date: text('Date on which it was filed', { max: 10, example: '2026-01-15' })
      .nullable('not completed')
      .readOnly(),
    admin_notes: texts('Notes from the filing agent, oldest first', { max: 100, each: 500, example: [] })
      .default([])
      .readOnly()
      .byStrangers(),
    provider_error: text('Why the filing agent could not file it').nullable('no error').readOnly().byStrangers(),
    submitted_at: timestamp('When it was last submitted to the filing agent').nullable('never').readOnly(),
    documents: collection('formation_document', 'Documents of the company', { onlyExpanded: true }),
  },
})

export type FormationRow = Row<typeof Formation>
