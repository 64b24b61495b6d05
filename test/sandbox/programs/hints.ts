const KNOWN = 'it has "id", "name", "note", "data".'

/** Programs that read a key which an answer lacks, and the hint. */
export const blamed: [code: string, hint: string][] = [
  ['get("/products")["nmae"].upcase', 'The answer has no key "nmae"; did you mean "name"?'],
  ['r = get("/products")\nr[:nmae].upcase', 'The answer has no key :nmae; did you mean "name"?'],
  ['r = get("/products")\nr["nmae"]&.size\nr["nmae"].size', 'The answer has no key "nmae"; did you mean "name"?'],
  ['r = get("/products")\ntext = r["nmae"]\n\ntext.upcase', 'The answer has no key "nmae"; did you mean "name"?'],
  ['r = get("/products")\n@text = r["nmae"]\n@text.upcase', 'The answer has no key "nmae"; did you mean "name"?'],
  ['r = get("/products")\na, b = r["id"], r["other"]\nb.upcase', `The answer has no key "other"; ${KNOWN}`],
  ['r = get("/products")\na = nil\na ||= r["other"]\na.upcase', `The answer has no key "other"; ${KNOWN}`],
  ['r = get("/products")\nr["other"]["deep"]', `The answer has no key "other"; ${KNOWN}`],
  ['r = get("/products")\nr.dig("other", "deep").upcase', `The answer has no key "other"; ${KNOWN}`],
  ['r = get("/products")\nr["other"] + 1', `The answer has no key "other"; ${KNOWN}`],
  ['r = get("/products")\n1 + r["other"]', `The answer has no key "other"; ${KNOWN}`],
  ['r = get("/products")\nprice = r["other"]\n1 + price', `The answer has no key "other"; ${KNOWN}`],
  [
    'r = get("/products")\nr["data"].sum { |row| row["pirce"] }',
    'The answer has no key "pirce"; did you mean "price"?',
  ],
  [
    'r = get("/products")\nr["data"].each { |row| row["pirce"].abs }',
    'The answer has no key "pirce"; did you mean "price"?',
  ],
  [
    'r = get("/products")\nr["other"]\n  .to_s\n  .upcase\nr["other"]\n  .upcase',
    `The answer has no key "other"; ${KNOWN}`,
  ],
  ['r = get("/products")\n[r["other"]].each { |text| text.upcase }', `The answer has no key "other"; ${KNOWN}`],
  [
    'r = get("/products")\nx = r["first_miss"]\ny = r["other"]\nx.upcase',
    `The answer has no key "first_miss"; ${KNOWN}`,
  ],
]
