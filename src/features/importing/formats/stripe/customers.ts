import { MAX_NAME } from '../../../../resources/audience/customer/customer.ts'
import { format } from '../format.ts'

const ID = ['id', 'Customer ID'] as const
const EMAIL = ['Email', 'Customer Email'] as const
const NAME = ['Name', 'Customer Name'] as const
const PHONE = 'Phone'
const CREATED = ['Created (UTC)', 'Created'] as const
const COUNTRY = ['Address Country', 'Card Address Country'] as const
const REGION = ['Address State', 'Card Address State'] as const
const METADATA_COLUMNS = { description: 'Description', stripe_id: ID, delinquent: 'Delinquent' } as const

export const stripeCustomers = format<'customers'>({
  kind: 'customers',
  name: 'customers',
  needs: ['id', 'Email', 'Delinquent'],
  reads: [EMAIL, NAME, PHONE, CREATED, COUNTRY, REGION, ...Object.values(METADATA_COLUMNS)],
  leavesOut: [
    ...['Card ID', 'Card Last4', 'Card Brand', 'Card Funding', 'Card Exp Month', 'Card Exp Year', 'Card Name'],
    ...['Card Address Line1', 'Card Address Line2', 'Card Address City', 'Card Address Zip', 'Card Issue Country'],
    ...['Card Fingerprint', 'Card CVC Status', 'Card AVS Zip Status', 'Card AVS Line1 Status', 'Plan', 'Status'],
    ...['Card Tokenization Method', 'Cancel At Period End', 'Account Balance', 'Currency', 'Total Spend'],
    ...['Payment Count', 'Average Order', 'Refunded Volume', 'Dispute Losses', 'Default Source'],
  ],
  draft([row], read) {
    const sourceId = read.required(row, ID)
    const email = read.email(row, EMAIL)
    if (email === null && read.problems.length === 0)
      read.refuse(row, EMAIL, 'is empty, and customers are known here by their e-mail address')
    const country = read.country(row, COUNTRY)
    const draft = {
      name: read.text(row, NAME, MAX_NAME),
      phone_number: read.text(row, PHONE, 40),
      region: read.region(row, REGION, country),
      createdAt: read.moment(row, CREATED, 'UTC'),
      metadata: read.metadata(row, METADATA_COLUMNS),
      ...{ country, first_name: null, last_name: null, vat_id: null, tags: [] },
    }
    return email === null || read.problems.length > 0 ? null : { ...draft, email, sourceId }
  },
})
