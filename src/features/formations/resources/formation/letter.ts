import { isolated } from '../../../../format/direction.ts'
import { letter } from '../../../../resources/messages/email/service-mail.ts'
import { type Letter, type Part, subjectLine, words } from '../../../../resources/messages/email/templates/letter.ts'

interface FormationEndData {
  id: string
  /** The company's preferred name. */
  name: string
  /** The two-letter code. */
  state: string
  completed: boolean
  ein: string | null
  /** The reason why the formation could not be filed; null if it was completed. */
  reason: string | null
  refunded: boolean
  url: string
}

export const queueFormationEnd = letter('account_notice', formationEndLetter)

function formationEndLetter(data: FormationEndData): Letter {
  const { id, name, state, completed, ein, url } = data
  const heading = subjectLine(completed ? `${isolated(name)} is formed` : `${isolated(name)} could not be filed`)
  const facts = [
    { label: 'State', value: state },
    ...(ein === null ? [] : [{ label: 'EIN', value: ein }]),
    { label: 'Formation', value: id },
  ]
  return {
    subject: heading,
    preview: heading,
    heading,
    parts: [...explanation(data), { kind: 'facts', rows: facts }, { kind: 'link', label: 'Open the dashboard', url }],
  }
}

function explanation({ completed, reason, refunded }: FormationEndData): Part[] {
  if (completed) return [words('The company is filed. Its documents are ready to download, under Formations.')]
  const next = refunded ? 'Its price was given back.' : 'You can submit it again without paying again.'
  return [words(reason ?? 'The filing agent gave no reason.'), words(next)]
}
