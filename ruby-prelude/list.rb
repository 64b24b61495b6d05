# The rows of a list. They are read page by page as the program uses them, so a program that stops early does not read the other
# pages. A list of up to MOST_KEPT rows is cached after it was read to its end; a longer one is read again for each use.
module Sandbox
  class List < Enumerator
    PAGE_SIZE = 100
    MOST_KEPT = 1_000
    PAGING = %w[limit starting_after].freeze
    PAGING_IN_PATH = /[?&](limit|starting_after)=/
    # Methods of arrays that Enumerator lacks, but that programs expect a list to have.
    OF_ARRAYS = %i[last reverse sample shuffle values_at dig fetch slice index].freeze

    def self.open(path, positional, named)
      Requests.check("list", path, positional)
      filters = Requests.filters(positional, named)
      paging = PAGING.find { |name| filters.has_key?(name) } || path[PAGING_IN_PATH, 1]
      raise ArgumentError, "list reads every page, so it takes no #{paging}; .first(10) reads ten rows only" if paging
      new(path, filters, Requests.line)
    end

    def initialize(path, filters, line)
      @path = path
      @filters = filters
      @line = line
      super() { |rows| each { |row| rows << row } }
    end

    def each(&block)
      return self unless block
      return kept_rows(&block) if @kept
      kept = []
      params = @filters
      seen = 0
      while params
        page = @first_page || read(params)
        @first_page = nil
        params = page["has_more"] ? @filters.merge("starting_after" => last_key(page)) : nil
        seen += page["data"].size
        kept = seen > MOST_KEPT ? nil : kept&.concat(page["data"])
        page["data"].each(&block)
      end
      @size = seen
      @kept = kept
      self
    end

    # Lets arrays flatten lists to their rows, as they flatten arrays: `ids.flat_map { |id| list("/orders", customer: id) }`.
    def to_ary = to_a

    # Without arguments or a block, the database counts the rows. It cannot count computed rows: they are read, which sets @size.
    def count(*values, &block) = values.empty? && !block ? size : super
    def size = @size ||= counted || each { } && @size
    alias length size

    # With the name of a field and no block, the database computes the figure over all rows in which the field is not null.
    def sum(field = 0, &block) = Groups.field?(field, block) ? figure("sum", field) : super
    def minimum(field) = figure("minimum", field)
    def maximum(field) = figure("maximum", field)
    def group_by(*fields, &block) = fields.empty? || block ? super : Groups.new(self, fields) { |*asked| groups(*asked, fields) }

    def empty? = first(1).empty?

    # If the index counts from the start, the pages after the row are not read.
    def [](index, *rest)
      if String === index || Symbol === index
        raise ArgumentError, "list gives the rows themselves, so there is no [#{index.inspect}] around them"
      end
      rest.empty? && Integer === index && index >= 0 ? first(index + 1)[index] : to_a[index, *rest]
    end

    # Redefined, because Ruby first asks an enumerable for its size, and a list would have to be read completely to know it.
    %i[each_slice each_cons].each do |name|
      define_method(name) { |count, &block| Enumerator.new { |all| each { |row| all << row } }.public_send(name, count, &block) }
    end

    OF_ARRAYS.each { |name| define_method(name) { |*arguments, &block| to_a.public_send(name, *arguments, &block) } }

    def batch(most)
      answer = Requests.send_to_host(
        method: "GET", path: @path, params: @filters, line: @line, listing: true, batch: most
      )
      answer["data"] # Raises if the request was refused.
    end

    def inspect = "list(#{@path.inspect})"
    alias to_s inspect
    def to_json(*state) = to_a.to_json(*state)

    private

    def kept_rows(&block)
      @kept.each(&block)
      self
    end

    # Returns nil for a list that the database cannot count. The response then contains the first page, which is kept.
    def counted
      answer = read(@filters, aggregate: { figure: "count", field: nil, by: [] })
      return answer["groups"][0][1] if answer["object"] == "aggregate"
      @first_page = answer
      nil
    end

    def figure(name, field) = groups(name, field, []).fetch([], nil)

    # Returns the figure of each group by the values of its fields. Figures are cached, so that a loop can ask for them again.
    def groups(figure, field, by)
      asked = { figure: figure, field: Groups.name(field), by: by.map { |one| Groups.name(one) } }
      @groups ||= {}
      @groups[asked] ||= read_groups(asked)
    end

    def read_groups(asked)
      answer = read(@filters, aggregate: asked)
      unless answer["object"] == "aggregate"
        raise ArgumentError, "The rows of #{@path} are computed, so only a block can give their #{asked[:figure]}"
      end
      answer["groups"].to_h { |values, figure| [values, asked[:figure] == "sum" ? Integer(figure) : figure] }
    end

    def read(params, **options)
      page = Requests.send_to_host(
        method: "GET", path: @path, params: { "limit" => PAGE_SIZE, **params }, line: @line, listing: true, **options
      )
      raise ArgumentError, "#{@path.inspect} is one object and not a list; use get(#{@path.inspect})" if Refusal === page && no_list?(page["error"])
      return page if Hash === page && page["object"] == "aggregate" # Raises if the request was refused.
      rows = page["data"] if Hash === page
      return page if Array === rows
      raise ArgumentError, "list reads lists, but the answer to GET #{@path} has no \"data\"; use get(#{@path.inspect})"
    end

    # The operation has no parameter `limit`, so its list has no pages.
    def no_list?(error) = error["code"] == "parameter_unknown" && error["param"] == "limit"

    # Returns the id of a page's last row, after which the next page begins. A few lists have rows without an id; they use the name.
    def last_key(page)
      last = page["data"].last
      last && (last["id"] || last["name"]) or raise "GET #{@path} has more rows, but the last row has no id or name to continue from"
    end
  end
end
