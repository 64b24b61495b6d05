import { z } from 'zod'
import {
  currency,
  email,
  flag,
  integer,
  metadata,
  money,
  oneOf,
  reference,
  servedAddress,
  structure,
  text,
  timestamp,
} from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row } from '../../../contract/declarations/noun.ts'
import { country, region, vatId } from '../../../contract/declarations/place.ts'
import { EXAMPLE_TAX_LINE, type TaxLine, taxLines } from '../../../contract/declarations/tax-line.ts'
import type { Line } from '../checkout/line.ts'
import type { TaxTerms } from '../checkout/tax/terms.ts'

export const Invoice = noun('invoice', {
  prefix: 'inv',
  group: 'Invoices',
  area: 'sales',
  description: 'A bill for one price, sent to one buyer, who pays it through a checkout.',
  gist: 'bill',
  foundBy: ['number', 'description', 'customer_name', 'email_address'],
  events: ['created', 'paid', 'past_due', 'voided'],
  eventExpand: ['customer'],
  states: { open: ['void'], past_due: ['void'], paid: ['void'], void: ['void'] },
  example: { paid_at: null, voided_at: null, order: null, tax_lines: [], region: null, vat_id: null, amount_tax: 0 },
  hidden: {
    sequence: integer('The running number'),
    /** The only line of the invoice, with the price as it was billed. */
    line: structure<Line | null>('object', z.custom<Line | null>(), 'What is billed', null),
    tax: structure<TaxTerms>('object', z.custom<TaxTerms>(), 'What is charged where the buyer is taxed', {
      rates: [],
      reverse_charge: false,
    }).nullable(),
    due_job: text('The job that marks it past due').nullable(),
    /** While this payment is in progress, no other payment of the invoice can start. */
    paying: text('The payment that is under way').nullable(),
  },
  fields: {
    number: text('Sequential number within the account, without gaps', { max: 20, example: '#00000001' }).readOnly(),
    status: oneOf(
      ['open', 'paid', 'past_due', 'void'],
      'past_due: not paid by due_at; it can still be paid',
    ).readOnly(),
    price_variant: reference(
      'price_variant',
      'Price to bill: not archived and not free; a custom price needs a preset_amount',
      'price_…',
    )
      .required()
      .createOnly()
      .expandable(),
    quantity: integer('Quantity billed', { min: 1, max: 10_000, unit: 'units' }).default(1).createOnly(),
    amount: money(
      'Unit price × quantity + setup fee, plus tax that prices do not include; fixed at creation',
    ).readOnly(),
    amount_tax: money('Tax in amount, fixed at creation').default(0).readOnly(),
    tax_inclusive: flag('Whether prices include amount_tax; otherwise it is added to them').default(false).readOnly(),
    tax_lines: structure<TaxLine[]>('array', taxLines, 'The tax by rate', [EXAMPLE_TAX_LINE]).default([]).readOnly(),
    reverse_charge: flag('Whether the buyer, a business of another country, owes the tax: none is charged')
      .default(false)
      .readOnly(),
    currency: currency('Currency of the amount').readOnly(),
    customer: reference('customer', 'Buyer to bill. Default: found or created by email_address', 'cus_…')
      .nullable('the customer was deleted after the invoice was voided')
      .createOnly()
      .expandable(),
    country: country(
      'Country where the buyer is taxed. Default: the customer’s. Required once the account has tax_rates',
    )
      .nullable('not given')
      .createOnly(),
    region: region('US state or Canadian province of the buyer, where tax_rates have regions')
      .nullable('none')
      .createOnly(),
    vat_id: vatId('VAT id of a buyer that is a business. Default: the customer’s').nullable('none').createOnly(),
    customer_name: text('Name on the bill. Default: the customer’s name', { max: 200, example: 'Ada Lovelace' })
      .nullable('unknown')
      .createOnly()
      .byStrangers(),
    email_address: email('Address the bill is sent to. Default: the customer’s address').createOnly(),
    description: text('Text on the bill and in its e-mail', { max: 500, example: 'Workshop in May' })
      .nullable('none')
      .createOnly(),
    due_at: timestamp(
      'When payment is due; must be in the future. At the end of a day in Berlin: 2027-01-31T23:59:59+01:00',
      '2027-01-31T22:59:59Z',
    )
      .required()
      .createOnly(),
    paid_at: timestamp('When it was paid').nullable('not paid').readOnly(),
    voided_at: timestamp('When it was voided').nullable('not voided').readOnly(),
    order: reference('order', 'Order that paid it').nullable('not paid').readOnly().expandable(),
    collection_method: oneOf(
      ['send_invoice', 'charge_automatically'],
      'send_invoice: the buyer pays at payment_url; charge_automatically requires a saved card, else 422',
    )
      .default('send_invoice')
      .createOnly(),
    charge_buyer_fee: flag('Stored as given; has no effect').default(false).createOnly(),
    payment_url: servedAddress('URL where the buyer pays', `https://shop.example/pay/${exampleId('inv')}`),
    metadata: metadata().createOnly(),
  },
})

export type InvoiceRow = Row<typeof Invoice>
