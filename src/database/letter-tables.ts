/** Whether a kind of email is sent: to the account's buyers if `user_id` is empty, otherwise to that member of the account. */
interface LetterChoiceRow {
  account_id: string
  user_id: string
  letter: string
  wanted: number
}

/** The next email of one kind to the members of an account. */
interface LetterTurnRow {
  account_id: string
  letter: string
  /** The job that writes the email; null if none is scheduled. */
  job: string | null
  /** The email reports the events since this time. */
  since: string
  last_at: string | null
}

interface EmailBodyRow {
  account_id: string
  id: string
  /** The content of the email as encrypted JSON. */
  sealed: string
  created_at: string
}

export interface LetterTables {
  letter_choices: LetterChoiceRow
  letter_turns: LetterTurnRow
  email_bodies: EmailBodyRow
}
