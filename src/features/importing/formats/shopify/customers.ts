import { MAX_PART, MAX_NAME as MAX_PERSON } from '../../../../resources/audience/customer/customer.ts'
import { MAX_TAG_NAME } from '../../../../resources/audience/tag/tag.ts'
import { format } from '../format.ts'

const EMAIL = 'Email'
const FIRST = 'First Name'
const LAST = 'Last Name'
const PHONE = ['Phone', 'Default Address Phone'] as const
const COUNTRY = ['Default Address Country Code', 'Country Code', 'Country'] as const
const REGION = ['Default Address Province Code', 'Province Code', 'Province'] as const
const TAGS = 'Tags'
const CONSENT = ['Accepts Email Marketing', 'Accepts Marketing'] as const
const METADATA_COLUMNS = {
  company: ['Default Address Company', 'Company'],
  address_1: ['Default Address Address1', 'Address1'],
  address_2: ['Default Address Address2', 'Address2'],
  city: ['Default Address City', 'City'],
  zip: ['Default Address Zip', 'Zip'],
  note: 'Note',
  tax_exempt: 'Tax Exempt',
  accepts_sms_marketing: 'Accepts SMS Marketing',
  shopify_id: 'Customer ID',
} as const

const CONSENT_TAG = 'Accepts marketing'

/** Shopify's customer export, including its older form without ids. */
export const shopifyCustomers = format<'customers'>({
  kind: 'customers',
  name: 'customers',
  needs: [FIRST, LAST, EMAIL, CONSENT],
  reads: [EMAIL, FIRST, LAST, PHONE, COUNTRY, REGION, TAGS, CONSENT, ...Object.values(METADATA_COLUMNS)],
  leavesOut: ['Total Spent', 'Total Orders'],
  draft([row], read) {
    const email = read.email(row, EMAIL)
    if (email === null && read.problems.length === 0)
      read.refuse(row, EMAIL, 'is empty, and customers are known here by their e-mail address')
    const country = read.country(row, COUNTRY)
    const agreed = read.flag(row, CONSENT)
    const draft = {
      ...{ createdAt: null, name: null, country, vat_id: null },
      first_name: read.text(row, FIRST, MAX_PART),
      last_name: read.text(row, LAST, Math.min(MAX_PART, MAX_PERSON)),
      phone_number: read.text(row, PHONE, 40),
      region: read.region(row, REGION, country),
      tags: [...read.list(row, TAGS, MAX_TAG_NAME), ...(agreed === true ? [CONSENT_TAG] : [])],
      metadata: {
        ...read.metadata(row, METADATA_COLUMNS),
        ...(agreed !== null && { accepts_email_marketing: agreed ? 'yes' : 'no' }),
      },
    }
    return email === null || read.problems.length > 0
      ? null
      : { ...draft, email, sourceId: read.text(row, METADATA_COLUMNS.shopify_id) ?? email }
  },
})
