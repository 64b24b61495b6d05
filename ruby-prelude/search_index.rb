# By which stems `tools.search` finds an operation, and how much each says about it.
module Sandbox
  module SearchIndex
    # By the place of a word: path, summary, description, names of the fields that it shows, descriptions of those that it takes.
    NAMED = 6.0
    SUMMARIZED = 3.0
    DESCRIBED = 1.5
    SHOWN = 1.0
    MENTIONED = 0.5
    # "checkout" says less of /checkout_links than of /checkouts.
    PART_OF_NAME = 0.6
    # A word of a long text says less than one of a short text: at twice the usual length, this part less.
    LENGTH = 0.5
    USUAL_LENGTH = 25.0
    # A word of fewer operations than so many counts as one of so many.
    COMMON = 6.0
    # What is to be done is common to many operations, and yet tells those of one thing apart.
    DEED_RARITY = 2.4
    # What a method does to one thing that its path addresses, and to all.
    DEEDS = { "GET" => %w[show list], "POST" => [nil, "create"], "PATCH" => %w[change change], "DELETE" => ["delete", nil] }.freeze
    # What a description says alike of many operations: what comes along, what is answered, where fields are described.
    ASIDES = /Also emits [^ ]+(?:, [^ ]+)*\.|Returns \{[^}]*\}\.|Fields as in [^.]*\.|4\d\d \w+/

    module_function

    # The stems that an operation is found by, with their weights: of each stem the best.
    def weights(tool)
      weights = Hash.new(0.0)
      places(tool).each { |weight, stems| stems.each { |stem| weights[stem] = [weights[stem], weight].max } }
      weights
    end

    def places(tool)
      described = Words.stems(tool[:description].gsub(ASIDES, " "))
      mentioned = Words.stems(mentions(tool))
      [
        [by_length(MENTIONED, mentioned), mentioned],
        [SHOWN, shown(tool).flat_map { |name| Words.with_pairs(name) }],
        [by_length(DESCRIBED, described), described],
        [DESCRIBED, names(tool).flat_map { |name| Words.with_pairs(name) }],
        [SUMMARIZED, Words.with_pairs(tool[:summary])],
        *segments(tool).flat_map { |segment| named(segment) },
        [NAMED, [deed(tool)].compact]
      ]
    end

    def by_length(weight, words) = weight / (1 - LENGTH + LENGTH * [words.size / USUAL_LENGTH, 1.0].max)

    def named(segment)
      whole, parts = Words.joined(segment), Words.stems(segment)
      [[NAMED, [whole]], [NAMED * PART_OF_NAME, parts]]
    end

    def segments(tool) = tool[:path].split("/").reject { |part| part.empty? || part.start_with?("{") }

    # An action is named by its path instead.
    def deed(tool)
      on_one, on_all = DEEDS.fetch(tool[:method])
      found = tool[:path].end_with?("}") ? on_one : (on_all if segments(tool).size == 1)
      found && Words.stem(found)
    end

    def properties(tool) = (tool[:request_body] || {})["properties"] || {}
    def mentions(tool) = (properties(tool).values + tool[:parameters]).filter_map { |one| one["description"] }.join(" ")

    # The fields of what a read answers: who asks for a balance looks for the account.
    def shown(tool)
      return [] unless tool[:method] == "GET"
      named = tool[:description][/Returns (?:a page of|an?) ([a-z0-9 ]+)/, 1].to_s.tr(" ", "_")
      name = [named, named.delete_suffix("s"), named.sub(/ies\z/, "y")].find { |one| RESOURCES.key?(one) }
      name && RESOURCES[name].key?("fields") ? RESOURCES[name]["fields"].keys : []
    end

    # Names of parameters and fields, and the values of closed lists: "failed" finds what can be narrowed to it.
    def names(tool)
      schemas = properties(tool).values + tool[:parameters].filter_map { |parameter| parameter["schema"] }
      properties(tool).keys + tool[:parameters].map { |parameter| parameter["name"] } +
        schemas.flat_map { |schema| schema["enum"] || [] }.grep(String)
    end

    # The positions of the operations that a stem finds, with its weight for each.
    PLACES = Tables.make(TOOLS.each_with_index) do |(tool, position), index|
      weights(tool).each { |stem, weight| (index[stem] ||= []) << [position, weight] }
    end
    DEED_STEMS = DEEDS.values.flatten.compact.to_h { |deed| [Words.stem(deed), DEED_RARITY] }.freeze
    RARITY = PLACES.to_h do |stem, places|
      [stem, Math.log(1.0 + TOOLS.size / [places.sum(&:last) / NAMED, COMMON].max)]
    end.merge(DEED_STEMS).freeze
    # The names of several words: "blog post" is one thing.
    NAMES = TOOLS.flat_map { |tool| segments(tool) }.grep(/_/).to_h { |name| [Words.joined(name), true] }.freeze
  end
end
