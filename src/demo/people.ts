/** The lengths of the two lists share no factor, so no pair of names repeats among the first 899 people. */
const FIRST =
  'Alice Bruno Clara Diego Edith Felix Grace Henrik Isla Jamal Karin Louis Mei Nils Olga Pedro Quinn Rosa Selim Tara Ugo Vera Wendell Xenia Yusuf Zoe Arlo Bianca Cyrus Dana Elif'.split(
    ' ',
  )
const LAST =
  'Abbott Bauer Cohen Dunn Eriksen Farrell Grimaldi Hoang Ito Jensen Khan Lowell Mercer Novak Ortiz Park Quigley Rossi Silva Tran Underhill Vance Walsh Yilmaz Zimmer Ashby Brandl Castellano Doyle'.split(
    ' ',
  )

export interface Person {
  name: string
  email: string
}

/** The buyer of a number, always the same. */
export function person(number: number): Person {
  const [first, last] = [FIRST, LAST].map((names) => names[number % names.length])
  return { name: `${first} ${last}`, email: `${first}.${last}@example.com`.toLowerCase() }
}
