import { MAX_NAME, MAX_PART } from '../../../../resources/audience/customer/customer.ts'
import { MAX_TAG_NAME } from '../../../../resources/audience/tag/tag.ts'
import { CUSTOMER_COLUMNS } from '../../../../resources/dashboard/account-export/csv-columns.ts'
import { format } from '../format.ts'
import { readMetadata } from './metadata.ts'

export const plainCustomers = format<'customers'>({
  kind: 'customers',
  name: 'customers',
  needs: ['email'],
  reads: CUSTOMER_COLUMNS,
  draft([row], read) {
    const email = read.email(row, 'email')
    if (email === null && read.problems.length === 0)
      read.refuse(row, 'email', 'is empty, and customers are known by their e-mail address')
    const country = read.country(row, 'country')
    const draft = {
      ...{ createdAt: read.moment(row, 'created_at'), country, region: read.region(row, 'region', country) },
      name: read.text(row, 'name', MAX_NAME),
      first_name: read.text(row, 'first_name', MAX_PART),
      last_name: read.text(row, 'last_name', MAX_PART),
      phone_number: read.text(row, 'phone_number', 40),
      vat_id: read.vatId(row, 'vat_id'),
      tags: read.list(row, 'tags', MAX_TAG_NAME),
      metadata: readMetadata(row, read),
    }
    return email === null || read.problems.length > 0
      ? null
      : { ...draft, email, sourceId: read.text(row, 'id') ?? email }
  },
})
