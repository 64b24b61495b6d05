import { text } from '../../../contract/declarations/kinds.ts'
import { exampleId } from '../../../contract/declarations/noun.ts'
import { customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { AccessGrant } from './access_grant.ts'
import { accessOfCustomer } from './of_customer.ts'

export const accessGrants = resource(AccessGrant, {
  dashboard: [
    customList({
      id: 'list_access_grants',
      method: 'GET',
      path: '/access_grants',
      summary: 'List what a customer has access to',
      answers: AccessGrant,
      query: { customer: text('Id of the customer', { max: 200, example: exampleId('cus') }).required() },
      rule: (context, { query }) => accessOfCustomer(context, query.customer),
    }),
  ],
})
