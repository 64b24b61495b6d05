import { idsStarting, type Meant, words } from '../../../records/starting.ts'
import { customersStarting } from '../../audience/customer/starting.ts'
import { Email } from './email.ts'

const MOST = 500

/** What people have in hand of an e-mail. */
export const EMAIL_WORDS = words(
  Email,
  'An id, or the start of the recipient’s address, or of the customer’s name',
  async (context, given): Promise<Meant[]> => {
    if (Email.isId(given)) return [['id', [given]]]
    return [
      ['id', await idsStarting(context, { table: 'emails', columns: ['to'], words: given, most: MOST })],
      ['customer', await customersStarting(context, given)],
    ]
  },
)
