# The stems of words with which `tools.search` finds operations, and the weight of each.
module Sandbox
  module SearchIndex
    # The weights of words by their place: path, summary, description, names of shown fields, descriptions of accepted fields.
    NAMED = 6.0
    SUMMARIZED = 3.0
    DESCRIBED = 1.5
    SHOWN = 1.0
    MENTIONED = 0.5
    # The weight of a part of a name: "checkout" refers to /checkouts more than to /checkout_links.
    PART_OF_NAME = 0.6
    # How much the length of a text reduces the weight of its words, from 0 (not at all) to 1 (twice the length, half the weight).
    LENGTH = 0.5
    USUAL_LENGTH = 25.0
    # A word is assumed to occur in at least this many operations, which limits the weight of rare words.
    COMMON = 6.0
    # The rarity of actions. Many operations have them, but they distinguish the operations of one resource.
    DEED_RARITY = 2.4
    # The actions of each HTTP method, for a path that ends with an id and for any other path.
    DEEDS = { "GET" => %w[show list], "POST" => [nil, "create"], "PATCH" => %w[change change], "DELETE" => ["delete", nil] }.freeze
    # Phrases that many descriptions contain, so that they are ignored: additional events, returned objects, references to fields.
    ASIDES = /Also emits [^ ]+(?:, [^ ]+)*\.|Returns \{[^}]*\}\.|Fields as in [^.]*\.|4\d\d \w+/

    module_function

    # Returns the stems with which an operation is found, each with its highest weight.
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

    # Returns the action of an operation, or nil if its path already names the action.
    def deed(tool)
      on_one, on_all = DEEDS.fetch(tool[:method])
      found = tool[:path].end_with?("}") ? on_one : (on_all if segments(tool).size == 1)
      found && Words.stem(found)
    end

    def properties(tool) = (tool[:request_body] || {})["properties"] || {}
    def mentions(tool) = (properties(tool).values + tool[:parameters]).filter_map { |one| one["description"] }.join(" ")

    # Returns the names of the fields in the response of a read, so that a search for "balance" finds the account.
    def shown(tool)
      return [] unless tool[:method] == "GET"
      named = tool[:description][/Returns (?:a page of|an?) ([a-z0-9 ]+)/, 1].to_s.tr(" ", "_")
      name = [named, named.delete_suffix("s"), named.sub(/ies\z/, "y")].find { |one| RESOURCES.key?(one) }
      name && RESOURCES[name].key?("fields") ? RESOURCES[name]["fields"].keys : []
    end

    # Returns the names of parameters and fields, and enum values, so that "failed" finds lists with such a filter.
    def names(tool)
      schemas = properties(tool).values + tool[:parameters].filter_map { |parameter| parameter["schema"] }
      properties(tool).keys + tool[:parameters].map { |parameter| parameter["name"] } +
        schemas.flat_map { |schema| schema["enum"] || [] }.grep(String)
    end

    # The positions of the operations that each stem finds, and its weight for each.
    PLACES = Tables.make(TOOLS.each_with_index) do |(tool, position), index|
      weights(tool).each { |stem, weight| (index[stem] ||= []) << [position, weight] }
    end
    DEED_STEMS = DEEDS.values.flatten.compact.to_h { |deed| [Words.stem(deed), DEED_RARITY] }.freeze
    RARITY = PLACES.to_h do |stem, places|
      [stem, Math.log(1.0 + TOOLS.size / [places.sum(&:last) / NAMED, COMMON].max)]
    end.merge(DEED_STEMS).freeze
    # Resource names of several words, such as "blog post". A search treats such a name as one word.
    NAMES = TOOLS.flat_map { |tool| segments(tool) }.grep(/_/).to_h { |name| [Words.joined(name), true] }.freeze
  end
end
