export interface Part {
  offset: number
  limit: number
}
