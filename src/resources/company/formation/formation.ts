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
} from '../../../contract/kinds.ts'
import { nestedPattern, nestedText } from '../../../contract/nested-text.ts'
import { exampleId, noun } from '../../../contract/noun.ts'
import { postalAddress, postalAddressWithPhone, US_STATES } from '../../../contract/postal-address.ts'

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
    .refine(hasTwoDecimals, 'must have two decimals at most'),
})

/** 33.33 times 100 is no integer in floating point. */
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
  description: 'A company that is being formed: paid by a checkout, then filed by an agent.',
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
    /** JSON of TaxNumbers under the service's secret key, until they are filed. */
    sealed_tax_numbers: text('Tax numbers').nullable(),
    founder: text('The user who started it').nullable(),
    submissions: integer('How often it was submitted').default(0),
  },
  fields: {
    entity_type: oneOf(['LLC'], 'Kind of company').required().createOnly(),
    state: oneOf(US_STATES, 'State of the United States in which it is formed').required().createOnly(),
    naics_code: text('Its business by the North American classification (NAICS)', {
      max: 6,
      pattern: /^\d{6}$/,
      says: 'must be six digits',
      example: '541511',
    })
      .required()
      .createOnly(),
    description: text('Its business in a few words', { max: 1000, example: 'Software for small shops.' })
      .required()
      .createOnly(),
    name_options: structure(
      'array',
      z.array(nameOption).min(1, "can't be blank").max(3),
      'Names, the most wanted first, 1 to 3; entity_type_ending: LLC when absent',
      [{ name: 'Analytical Engines', entity_type_ending: 'LLC' as const }],
    )
      .required()
      .createOnly(),
    members: structure(
      'array',
      z.array(member).min(1, "can't be blank").max(20),
      `Owners, 1 to 20, whose ownership_percent add up to 100; ${NOT_RETURNED}`,
      [{ ...EXAMPLE_PERSON, contact_full_name: 'Ada Lovelace', is_natural_person: true, ownership_percent: 100 }],
      { written: z.array(member.extend({ tax_id })).min(1, "can't be blank").max(20) },
    )
      .required()
      .createOnly(),
    responsible_party: structure(
      'object',
      responsibleParty,
      `Person who answers to the tax authority; ${NOT_RETURNED}`,
      EXAMPLE_PERSON,
      { written: responsibleParty.extend({ tax_id }) },
    )
      .required()
      .createOnly(),
    mailing_address: structure('object', postalAddressWithPhone, 'Address to which letters for it go', {
      ...EXAMPLE_ADDRESS,
      phone: '+1 307 555 0100',
    })
      .required()
      .createOnly(),
    status: oneOf(
      ['awaiting_payment', 'pending', 'submitted', 'completed', 'failed'],
      'awaiting_payment: to be paid at checkout_url; pending: paid, and not handed to the filing agent; submitted: with the agent; completed: filed; failed: the agent could not file it, see provider_error',
    ).readOnly(),
    payment_status: oneOf(['unpaid', 'paid', 'refunded'], 'Whether its price is paid').readOnly(),
    amount: money('Price of the formation', { example: 29_900 }).readOnly(),
    currency: currency('Currency of the amount').readOnly(),
    checkout: reference('checkout', 'Newest checkout that pays it', 'co_…').nullable('none').readOnly().expandable(),
    checkout_url: servedAddress('Page where it is paid', `https://shop.example/checkout/${exampleId('co')}`).nullable(
      'paid, or its checkout is no longer open',
    ),
    paid_inline: flag('Whether a saved card was charged without a page; never, at present').default(false).readOnly(),
    ein: text('Employer identification number', { max: 10, example: '00-1234567' })
      .nullable('not completed')
      .readOnly(),
    formation_filing_date: text('Date on which it was filed', { max: 10, example: '2026-01-15' })
      .nullable('not completed')
      .readOnly(),
    admin_notes: texts('Notes of the filing agent, the oldest first', { max: 100, each: 500, example: [] })
      .default([])
      .readOnly(),
    provider_error: text('Why the filing agent could not file it').nullable('no error').readOnly(),
    submitted_at: timestamp('When it was handed to the filing agent last').nullable('never').readOnly(),
    documents: collection('formation_document', 'Its documents', { onlyExpanded: true }),
  },
})
