# Implements `tools.search("give money back")`, which returns the operations that match the words, best first. Words are compared by their
# stems, Synonyms translates common names, and rare words count more than words that many operations have.
module Sandbox
  module Search
    LIMIT = 5
    # How much a synonym counts compared with the word itself. An uncertain synonym counts half.
    TRANSLATED = 0.9
    PERHAPS = 0.45
    # How certain it is that a question asks for existing rows, unless it asks how to do something.
    QUESTION = 0.6
    QUESTION_WORDS = %w[what which who whose when where why how be have do].freeze
    REQUESTS = %w[how_do how_can how_to how_should do_not be_sur].freeze
    # Matches a text that asks for a list because it begins with a state or a plural: "failed posts", "customers without orders".
    LISTING = /\A\W*(?:(?:un)?[a-z]{3,}(?<!ne|fe)ed|overdue|open|active|past|latest|recent|unpaid|pending|upcoming|all|customers|orders|subscriptions|invoices|refunds|reviews|products|posts|comments|submissions|forms|tasks|discounts|payments|prices)\s+\w/i
    LISTED = 0.8
    # How certain it is that a text which names a thing without an action asks to create one: "newsletter form".
    UNSAID = 0.4
    # If an action is at least CLEAR certain, the scores of operations with other actions are multiplied by UNFIT; if it is SURE,
    # by UNFIT_FOR_SURE.
    CLEAR = 0.6
    UNFIT = 0.75
    SURE = 0.9
    UNFIT_FOR_SURE = 0.55
    CARRIED = 0.6
    # The maximum distance of a particle from its verb, as in "Put the launch post off".
    REACH = 6
    # The number of words at the start of a long text that count fully. Later words describe circumstances and count less and less.
    HEAD = 4
    FADING = 0.8
    PARTICLES = %w[off on up down back out away in over know].freeze

    module_function

    def find(text, limit) = ranked(text, limit).map { |position, _| TOOLS[position] }

    # Returns the positions of the best operations, and their scores. `deeds` contains actions that are certain.
    def ranked(text, limit, deeds = {})
      wanted = wanted(Words.stems(text))
      wanted.last.update(deeds) { |_, one, other| [one, other].max }
      listing = deeds.empty? && LISTING.match?(text)
      wanted.last.update("list" => LISTED) { |_, one, other| [one, other].max } if listing
      wanted.last["create"] = UNSAID if wanted.last.empty?
      unfit = deeds.value?(SURE) ? UNFIT_FOR_SURE : UNFIT
      scores = fitting(scores(wanted), wanted.last, listing, unfit)
      found = scores.each_index.select { |position| scores[position] > 0 }
      found.sort_by { |position| [-scores[position], position] }.first(limit).map { |position| [position, scores[position]] }
    end

    # Returns the score of each operation. A word counts once per operation, with the meaning that matches the operation best.
    def scores(wanted)
      *things, _deeds = wanted
      wanted.each_with_index.with_object(Array.new(TOOLS.size, 0.0)) do |(meanings, at), scores|
        emphasis = at < things.size ? FADING**[at - HEAD + 1, 0].max : 1.0
        best = {}
        meanings.each do |meaning, share|
          SearchIndex::PLACES.fetch(meaning, []).each do |position, weight|
            best[position] = [best.fetch(position, 0.0), share * weight * SearchIndex::RARITY[meaning]].max
          end
        end
        best.each { |position, score| scores[position] += score * emphasis }
      end
    end

    def fitting(scores, deeds, listing, unfit)
      return scores if deeds.values.max.to_f < CLEAR
      scores.zip(DEED_OF).map { |score, deed| (listing || deed) && !deeds.key?(deed) ? score * unfit : score }
    end

    # Returns the actions that the first meaningful word names: "launch a product".
    def first_deeds(text)
      first = Words.stems(text).find { |word| !EMPTY.key?(word) || QUESTION_WORDS.include?(word) }
      return {} if QUESTION_WORDS.include?(first)
      meanings = [first, *SYNONYMS.fetch(first, []).map(&:first)]
      meanings.select { |meaning| SearchIndex::DEED_STEMS.key?(meaning) }.to_h { |deed| [deed, SURE] }
    end

    # Returns the meanings of each word. The last element contains the actions of all words, which count only once.
    def wanted(words)
      deeds = question?(words) ? { "show" => QUESTION, "list" => QUESTION } : {}
      things = asked(words).map do |term|
        done, meant = [[term, 1.0], *SYNONYMS.fetch(term, [])].partition { |meaning, _| SearchIndex::DEED_STEMS.key?(meaning) }
        done.each { |deed, share| deeds[deed] = [deeds.fetch(deed, 0.0), share].max }
        meant
      end
      [*things, deeds]
    end

    def question?(words) = QUESTION_WORDS.include?(words.first) && !REQUESTS.include?(words.first(2).join("_"))

    # Returns the words and phrases of a text. The words of a phrase that has its own meaning are not looked up separately.
    def asked(words)
      everywhere = words.each_index.to_a
      content = everywhere.reject { |at| EMPTY.key?(words[at]) }
      places = [*neighbours(everywhere), *neighbours(content), *near(content), *parted(words)].uniq
      phrases = places.to_h { |some| [some, words.values_at(*some).join("_")] }
      phrases.select! { |_, phrase| SYNONYMS.key?(phrase) || SearchIndex::NAMES.key?(phrase) }
      alone = (content - phrases.keys.flatten).to_h { |at| [[at], words[at]] }
      phrases.merge(alone).sort_by { |places, _| places.first }.map(&:last).uniq
    end

    def neighbours(places) = places.each_cons(2).to_a + places.each_cons(3).to_a

    # Returns pairs of words with one or two other words between them: "stop … more" in "stop taking more answers".
    def near(places) = [3, 4].flat_map { |size| places.each_cons(size).map { |some| [some.first, some.last] } }

    # Returns the verbs whose particle is separate: "give her money back".
    def parted(words)
      particles = words.each_index.select { |at| PARTICLES.include?(words[at]) }
      particles.flat_map { |at| ([at - REACH, 0].max..at - 2).map { |verb| [verb, at] } }
    end

    # The possible meanings of each word and phrase, and how certain each is.
    SYNONYMS = Tables.make(Synonyms::LINES.lines(chomp: true)) do |line, table|
      meaning, said = line.split(": ")
      said.split.each do |word|
        (table[Words.joined(word)] ||= []) << [Words.joined(meaning), word.end_with?("?") ? PERHAPS : TRANSLATED]
      end
    end
    DEED_OF = TOOLS.map { |tool| SearchIndex.deed(tool) }.freeze
    EMPTY = Words.stems(Synonyms::EMPTY).reject { |word| SYNONYMS.key?(word) }.to_h { |word| [word, true] }.freeze
  end

  TOOLS.define_singleton_method(:search) { |text, limit = Search::LIMIT| Search.find(text.to_s, limit) }
end
