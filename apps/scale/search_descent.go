package scale

// descent is the search of the paper: along one weight after the other, in steps, as long as the cost
// falls, first upward and then downward, until no step along any weight lowers it. All steps along a
// weight are evaluated in one batch, and the path through them is that of single steps.
type descent struct {
	o        *Options
	features []string
}

// moves implements method.
func (d *descent) moves(list []candidate, s *state) []candidate {
	before := len(list)
	b, w := d.o.Bounds[s.feature], s.weights[s.feature]
	for k := 1; ; k++ {
		v := tidy(w + float64(k)*d.o.Step)
		if v > b.High+1e-9*d.o.Step {
			break
		}
		list = append(list, candidate{I: int32(s.feature), J: -1, A: min(v, b.High)})
	}
	for k := 1; ; k++ {
		v := tidy(w - float64(k)*d.o.Step)
		if v < b.Low-1e-9*d.o.Step {
			break
		}
		list = append(list, candidate{I: int32(s.feature), J: -1, A: max(v, b.Low)})
	}
	if len(list) == before { // the bounds leave no step
		list = append(list, candidate{I: -1, J: -1})
	}
	return list
}

// choose implements method.
func (d *descent) choose(s *state, moves []candidate, costs []float64) {
	before := s.cost
	from := s.weights[s.feature]
	for i, c := range moves {
		if c.I < 0 {
			break
		}
		up := c.A > from
		if !up && s.weights[s.feature] > from {
			break // it went upward
		}
		if last := i > 0 && up == (moves[i-1].A > from); last && s.weights[s.feature] != moves[i-1].A {
			continue // it has ended in this direction
		}
		if costs[i] < s.cost && s.used(c) <= d.o.MaxFeatures {
			s.set(c, costs[i])
			s.path = append(s.path, Step{d.features[s.feature], c.A, costs[i]})
		}
	}
	s.feature = (s.feature + 1) % len(d.features)
	s.idle++
	if s.cost < before {
		s.idle = 0
	}
	s.done = s.idle >= len(d.features)
}

// memory implements method.
func (d *descent) memory() int {
	most := 0.0
	for _, b := range d.o.Bounds {
		most = max(most, 1+(b.High-b.Low)/d.o.Step)
	}
	return int(most) * candidateMemory
}
