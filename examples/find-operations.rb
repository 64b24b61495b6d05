# For code_search: everything about discounts, with the fields that creating one takes.
about = tools.select { |tool| "#{tool[:path]} #{tool[:summary]}".match?(/discount/i) }

about.map do |tool|
  { call: "#{tool[:method]} #{tool[:path]}", does: tool[:summary], parameters: tool[:parameters].map { |p| p["name"] } }
end
