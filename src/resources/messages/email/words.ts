import { idsStarting, type Meant, words } from '../../../records/starting.ts'
import { customersFound } from '../../audience/customer/found.ts'
import { Email } from './email.ts'

const MOST = 500

export const EMAIL_WORDS = words(
  Email,
  'An id, the start of the recipient’s address, or beginnings of words of the customer’s name',
  async (context, given): Promise<Meant[]> => {
    if (Email.isId(given)) return [['id', [given]]]
    return [
      ['id', await idsStarting(context, { table: 'emails', column: 'to', words: given, most: MOST })],
      ['customer', await customersFound(context, given)],
    ]
  },
)
