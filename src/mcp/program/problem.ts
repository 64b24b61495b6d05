export interface ProgramProblem {
  message: string
  line: number | null
  source: string | null
  hint: string | null
}
