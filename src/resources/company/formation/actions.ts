import { Formation, type FormationRow } from './formation.ts'

type State = Pick<FormationRow, 'status' | 'payment_status'>

/** The actions that a formation permits: those of its status which its payment permits too. */
export function actionsOf({ status, payment_status }: State): string[] {
  const isFiled = status === 'submitted' || status === 'completed'
  return Formation.states![status]!.filter((action) =>
    action === 'submit' ? isFiled || payment_status === 'paid' : payment_status === 'unpaid',
  )
}
